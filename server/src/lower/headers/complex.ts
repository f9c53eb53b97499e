// The complex numbers of thrust and of libcu++, as source: two numbers that are aligned together, so that they move as one. It is read only for
// programs that name them.

/** Name under which the ranges of this text appear. */
export const complexFile = "<complex>";

/** What a program that needs `complexText` mentions. */
export const complexNames = /\bcomplex\s*</;

/** What both libraries declare; as far as memory is concerned, they compute alike. */
const declarations = `
template <typename T> struct __align__(2 * sizeof(T)) complex {
  using value_type = T;
  T re_, im_;
  complex() = default;
  __host__ __device__ complex(const T& re) : re_(re), im_(0) {}
  __host__ __device__ complex(const T& re, const T& im) : re_(re), im_(im) {}
  template <typename U> __host__ __device__ complex(const complex<U>& z) : re_(z.re_), im_(z.im_) {}
  __host__ __device__ T real() const { return re_; }
  __host__ __device__ T imag() const { return im_; }
  __host__ __device__ void real(T re) { re_ = re; }
  __host__ __device__ void imag(T im) { im_ = im; }
  __host__ __device__ complex<T>& operator=(const T& re) { re_ = re; im_ = 0; return *this; }
  template <typename U> __host__ __device__ complex<T>& operator+=(const U& z) { *this = *this + z; return *this; }
  template <typename U> __host__ __device__ complex<T>& operator-=(const U& z) { *this = *this - z; return *this; }
  template <typename U> __host__ __device__ complex<T>& operator*=(const U& z) { *this = *this * z; return *this; }
  template <typename U> __host__ __device__ complex<T>& operator/=(const U& z) { *this = *this / z; return *this; }
};
template <typename T> __host__ __device__ complex<T> operator+(const complex<T>& a) { return a; }
template <typename T> __host__ __device__ complex<T> operator-(const complex<T>& a) { return complex<T>(-a.re_, -a.im_); }
template <typename T> __host__ __device__ complex<T> operator+(const complex<T>& a, const complex<T>& b) { return complex<T>(a.re_ + b.re_, a.im_ + b.im_); }
template <typename T, typename U> __host__ __device__ complex<T> operator+(const complex<T>& a, const U& b) { return complex<T>(a.re_ + b, a.im_); }
template <typename T, typename U> __host__ __device__ complex<T> operator+(const U& a, const complex<T>& b) { return complex<T>(a + b.re_, b.im_); }
template <typename T> __host__ __device__ complex<T> operator-(const complex<T>& a, const complex<T>& b) { return complex<T>(a.re_ - b.re_, a.im_ - b.im_); }
template <typename T, typename U> __host__ __device__ complex<T> operator-(const complex<T>& a, const U& b) { return complex<T>(a.re_ - b, a.im_); }
template <typename T, typename U> __host__ __device__ complex<T> operator-(const U& a, const complex<T>& b) { return complex<T>(a - b.re_, -b.im_); }
template <typename T> __host__ __device__ complex<T> operator*(const complex<T>& a, const complex<T>& b) {
  return complex<T>(a.re_ * b.re_ - a.im_ * b.im_, a.re_ * b.im_ + a.im_ * b.re_);
}
template <typename T, typename U> __host__ __device__ complex<T> operator*(const complex<T>& a, const U& b) { return complex<T>(a.re_ * b, a.im_ * b); }
template <typename T, typename U> __host__ __device__ complex<T> operator*(const U& a, const complex<T>& b) { return complex<T>(a * b.re_, a * b.im_); }
template <typename T> __host__ __device__ complex<T> operator/(const complex<T>& a, const complex<T>& b) {
  T square = b.re_ * b.re_ + b.im_ * b.im_;
  return complex<T>((a.re_ * b.re_ + a.im_ * b.im_) / square, (a.im_ * b.re_ - a.re_ * b.im_) / square);
}
template <typename T, typename U> __host__ __device__ complex<T> operator/(const complex<T>& a, const U& b) { return complex<T>(a.re_ / b, a.im_ / b); }
template <typename T, typename U> __host__ __device__ complex<T> operator/(const U& a, const complex<T>& b) { return complex<T>(a) / b; }
template <typename T> __host__ __device__ bool operator==(const complex<T>& a, const complex<T>& b) { return a.re_ == b.re_ && a.im_ == b.im_; }
template <typename T> __host__ __device__ bool operator!=(const complex<T>& a, const complex<T>& b) { return !(a == b); }
template <typename T> __host__ __device__ T real(const complex<T>& z) { return z.re_; }
template <typename T> __host__ __device__ T imag(const complex<T>& z) { return z.im_; }
template <typename T> __host__ __device__ T abs(const complex<T>& z) { return hypot(z.re_, z.im_); }
template <typename T> __host__ __device__ T arg(const complex<T>& z) { return atan2(z.im_, z.re_); }
template <typename T> __host__ __device__ complex<T> conj(const complex<T>& z) { return complex<T>(z.re_, -z.im_); }
template <typename T> __host__ __device__ complex<T> polar(const T& r, const T& angle) { return complex<T>(r * cos(angle), r * sin(angle)); }
template <typename T> __host__ __device__ complex<T> polar(const T& r) { return complex<T>(r, 0); }
template <typename T> __host__ __device__ complex<T> exp(const complex<T>& z) { return polar(::exp(z.re_), z.im_); }
template <typename T> __host__ __device__ complex<T> log(const complex<T>& z) { return complex<T>(::log(abs(z)), arg(z)); }
template <typename T> __host__ __device__ complex<T> sqrt(const complex<T>& z) { return polar(::sqrt(abs(z)), arg(z) / 2); }
`;

export const complexText = `
namespace thrust {${declarations}
template <typename T> __host__ __device__ T norm(const complex<T>& z) { return z.re_ * z.re_ + z.im_ * z.im_; }
}
namespace cuda { namespace std {${declarations}
template <typename T> __host__ __device__ T norm(const complex<T>& z) {
  if (isinf(z.re_)) return fabs(z.re_);
  if (isinf(z.im_)) return fabs(z.im_);
  return z.re_ * z.re_ + z.im_ * z.im_;
}
} }
`;
