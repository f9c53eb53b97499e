// What <curand_kernel.h> declares of the generator that programs take where they name none (XORWOW), as source: its state is copied to and
// from memory as a whole, and drawing from it changes the copy. Other generators are not followed.

/** Name under which the ranges of this text appear. */
export const curandFile = "<curand>";

/** What a program that needs `curandText` mentions. */
export const curandNames = /\bcurandState(_t|XORWOW(_t)?)?\b/;

/** `curand_init` has no body here: what it writes comes from tables, and its accesses stand in the header. */
export const curandText = `
struct curandStateXORWOW {
  unsigned int d, v[5];
  int boxmuller_flag;
  int boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef curandStateXORWOW curandStateXORWOW_t;
typedef curandStateXORWOW curandState_t;
typedef curandStateXORWOW curandState;
static __device__ unsigned int curand(curandStateXORWOW* state) {
  unsigned int t = state->v[0] ^ (state->v[0] >> 2);
  state->v[0] = state->v[1];
  state->v[1] = state->v[2];
  state->v[2] = state->v[3];
  state->v[3] = state->v[4];
  state->v[4] = (state->v[4] ^ (state->v[4] << 4)) ^ (t ^ (t << 1));
  state->d += 362437;
  return state->v[4] + state->d;
}
static __device__ float curand_uniform(curandStateXORWOW* state) {
  return curand(state) * 2.3283064e-10f + (2.3283064e-10f / 2.0f);
}
static __device__ double curand_uniform_double(curandStateXORWOW* state) {
  unsigned int x = curand(state);
  unsigned int y = curand(state);
  unsigned long long z = (unsigned long long)x ^ ((unsigned long long)y << (53 - 32));
  return z * 1.1102230246251565e-16 + (1.1102230246251565e-16 / 2.0);
}
static __device__ float2 curand_normal2(curandStateXORWOW* state) {
  float u = curand(state) * 2.3283064e-10f + (2.3283064e-10f / 2);
  float v = curand(state) * (2.3283064e-10f * 6.2831855f) + (2.3283064e-10f * 6.2831855f / 2);
  float s = sqrtf(-2.0f * logf(u));
  return make_float2(s * __sinf(v), s * __cosf(v));
}
static __device__ float curand_normal(curandStateXORWOW* state) {
  if (state->boxmuller_flag != 1) {
    float2 pair = curand_normal2(state);
    state->boxmuller_extra = pair.y;
    state->boxmuller_flag = 1;
    return pair.x;
  }
  state->boxmuller_flag = 0;
  return state->boxmuller_extra;
}
static __device__ double2 curand_normal2_double(curandStateXORWOW* state) {
  double u = curand_uniform_double(state);
  double v = curand_uniform_double(state) * 6.283185307179586;
  double s = sqrt(-2.0 * log(u));
  return make_double2(s * sin(v), s * cos(v));
}
static __device__ double curand_normal_double(curandStateXORWOW* state) {
  if (state->boxmuller_flag_double != 1) {
    double2 pair = curand_normal2_double(state);
    state->boxmuller_extra_double = pair.y;
    state->boxmuller_flag_double = 1;
    return pair.x;
  }
  state->boxmuller_flag_double = 0;
  return state->boxmuller_extra_double;
}
`;
