// The containers of the standard library and of thrust as host code sees them, as source that is lowered like the user's own. It is read only
// for programs that name one of them (translation.ts), once.

/** Name under which the ranges of this text appear. */
export const containerFile = "<containers>";

/** What a program that needs `containerText` mentions. */
export const containerNames =
  /\b(vector|deque|device_vector|host_vector|device_ptr|raw_pointer_cast|unique_ptr|make_unique|shared_ptr|make_shared|shared_from_this|weak_ptr|optional|span|list|queue|stack|tuple|make_tuple|atomic|tie|apply|variant)\b/;

/**
 * A container is what it points to: a first and a last element. A member that is declared and not defined here makes unknown what the
 * container holds and how much.
 */
export const containerText = `
namespace std {
template <typename T> struct reverse_iterator {
  T* at_;
  T& operator*() const { return *at_; }
  reverse_iterator& operator++() { at_ = at_ - 1; return *this; }
  reverse_iterator operator++(int) { at_ = at_ - 1; return reverse_iterator{at_ + 1}; }
  bool operator==(const reverse_iterator& other) const { return at_ == other.at_; }
  bool operator!=(const reverse_iterator& other) const { return at_ != other.at_; }
};
template <typename T> void fill_elements_(T* to, unsigned long count, const T& value) {
  if constexpr (__warplint_copies_bytes_v<T>) __warplint_fill(to, count, value);
  else
    for (T* end = to + count; to != end; ++to) new (to) T(value);
}
template <typename T> void make_elements_(T* to, unsigned long count) {
  if constexpr (__warplint_is_zeros_v<T>) return;
  else if constexpr (__warplint_copies_bytes_v<T>) __warplint_fill(to, count, T());
  else
    for (T* end = to + count; to != end; ++to) new (to) T();
}
template <typename T, typename I> void copy_elements_(T* to, I* first, I* last) {
  if constexpr (is_class_v<T> && !(__warplint_copies_bytes_v<T> && is_same_v<T, remove_cv_t<I>>))
    for (; first != last; ++first, ++to) new (to) T(*first);
  else
    __warplint_copy(to, first, last - first);
}
template <typename T, typename A = void> struct vector {
  using value_type = T;
  using size_type = unsigned long;
  using iterator = T*;
  using const_iterator = const T*;
  T* begin_ = nullptr;
  T* end_ = nullptr;
  T* limit_ = nullptr;
  vector() {}
  explicit vector(unsigned long count) { resize(count); }
  vector(unsigned long count, const T& value) { assign(count, value); }
  vector(initializer_list<T> list) { assign(list.begin(), list.end()); }
  template <typename I> vector(I* first, I* last) { assign(first, last); }
  vector(const vector& other) { copy_(other); }
  vector(vector&& other) { move_(other); }
  vector& operator=(const vector& other) {
    if (this != &other) copy_(other);
    return *this;
  }
  vector& operator=(vector&& other) {
    if (this != &other) move_(other);
    return *this;
  }
  vector& operator=(initializer_list<T> list) {
    assign(list.begin(), list.end());
    return *this;
  }
  void copy_(const vector& other) {
    if (other.begin_ == other.end_) { begin_ = nullptr; end_ = nullptr; limit_ = nullptr; return; }
    unsigned long count = other.size();
    take_(count);
    copy_elements_(begin_, other.begin_, other.end_);
  }
  void move_(vector& other) {
    begin_ = other.begin_;
    end_ = other.end_;
    limit_ = other.limit_;
    other.begin_ = nullptr;
    other.end_ = nullptr;
    other.limit_ = nullptr;
  }
  unsigned long size() const { return end_ - begin_; }
  unsigned long capacity() const { return limit_ - begin_; }
  bool empty() const { return begin_ == end_; }
  T* data() const { return begin_; }
  T* begin() const { return begin_; }
  T* end() const { return end_; }
  const T* cbegin() const { return begin_; }
  const T* cend() const { return end_; }
  reverse_iterator<T> rbegin() const { return reverse_iterator<T>{end_ - 1}; }
  reverse_iterator<T> rend() const { return reverse_iterator<T>{begin_ - 1}; }
  T& operator[](unsigned long index) const { return begin_[index]; }
  T& at(unsigned long index) const { return begin_[index]; }
  T& front() const { return *begin_; }
  T& back() const { return *(end_ - 1); }
  void take_(unsigned long count) {
    begin_ = (T*)calloc(count, sizeof(T));
    end_ = begin_ + count;
    limit_ = end_;
  }
  void reserve(unsigned long count) {
    if (count <= capacity()) return;
    unsigned long kept = size();
    T* old = begin_;
    begin_ = (T*)calloc(count, sizeof(T));
    memcpy(begin_, old, kept * sizeof(T));
    end_ = begin_ + kept;
    limit_ = begin_ + count;
  }
  void resize(unsigned long count) {
    if (begin_ == nullptr) {
      take_(count);
      make_elements_(begin_, count);
      return;
    }
    unsigned long kept = size();
    reserve(count);
    end_ = begin_ + count;
    if (count > kept) make_elements_(begin_ + kept, count - kept);
  }
  void resize(unsigned long count, const T& value) {
    unsigned long kept = size();
    if (begin_ == nullptr) take_(count);
    else {
      reserve(count);
      end_ = begin_ + count;
    }
    if (count > kept) fill_elements_(begin_ + kept, count - kept, value);
  }
  void assign(unsigned long count, const T& value) {
    take_(count);
    fill_elements_(begin_, count, value);
  }
  void assign(initializer_list<T> list) { assign(list.begin(), list.end()); }
  template <typename I> void assign(I* first, I* last) {
    take_(last - first);
    copy_elements_(begin_, first, last);
  }
  void push_back(const T& value) {
    if (end_ == limit_) reserve(2 * size() + 4);
    if constexpr (__warplint_copies_bytes_v<T>) *end_ = value;
    else new (end_) T(value);
    end_ = end_ + 1;
  }
  void push_back(T&& value) {
    if (end_ == limit_) reserve(2 * size() + 4);
    if constexpr (__warplint_copies_bytes_v<T>) *end_ = value;
    else new (end_) T((T&&)value);
    end_ = end_ + 1;
  }
  template <typename... Args> T& emplace_back(Args&&... args) {
    if (end_ == limit_) reserve(2 * size() + 4);
    new (end_) T(forward<Args>(args)...);
    end_ = end_ + 1;
    return *(end_ - 1);
  }
  void pop_back() { end_ = end_ - 1; }
  void clear() { end_ = begin_; }
  void shrink_to_fit() {}
  void swap(vector& other) {
    T* begin = begin_;
    T* end = end_;
    T* limit = limit_;
    begin_ = other.begin_;
    end_ = other.end_;
    limit_ = other.limit_;
    other.begin_ = begin;
    other.end_ = end;
    other.limit_ = limit;
  }
  T* open_(T* at, unsigned long count) {
    unsigned long before = at - begin_;
    unsigned long after = end_ - at;
    T* old = begin_;
    take_(before + count + after);
    __warplint_copy(begin_, old, before);
    __warplint_copy(begin_ + before + count, at, after);
    return begin_ + before;
  }
  T* insert(T* at, const T& value) {
    T kept = value;
    T* place = open_(at, 1);
    new (place) T((T&&)kept);
    return place;
  }
  T* insert(T* at, initializer_list<T> list) { return insert(at, list.begin(), list.end()); }
  T* insert(T* at, unsigned long count, const T& value) {
    T* place = open_(at, count);
    fill_elements_(place, count, value);
    return place;
  }
  template <typename I> T* insert(T* at, I* first, I* last) {
    T* place = open_(at, last - first);
    copy_elements_(place, first, last);
    return place;
  }
  T* erase(T* at) {
    __warplint_copy(at, at + 1, end_ - at - 1);
    end_ = end_ - 1;
    return at;
  }
  T* erase(T* first, T* last) {
    __warplint_copy(first, last, end_ - last);
    end_ = end_ - (last - first);
    return first;
  }
  void push_front(const T& value) { insert(begin_, value); }
  void pop_front() { begin_ = begin_ + 1; }
  template <typename... Args> void emplace_front(Args&&... args) { push_front(T(forward<Args>(args)...)); }
  template <typename... Args> T* emplace(T* at, Args&&... args) { return insert(at, T(forward<Args>(args)...)); }
};
template <typename T> bool operator==(const vector<T>& a, const vector<T>& b) {
  if (a.size() != b.size()) return false;
  for (unsigned long index = 0; index < a.size(); ++index)
    if (!(a[index] == b[index])) return false;
  return true;
}
template <typename T> bool operator!=(const vector<T>& a, const vector<T>& b) { return !(a == b); }
template <typename T> using deque = vector<T>;
template <typename T> using list = vector<T>;
template <typename T, typename C = void> struct queue {
  vector<T> c_;
  void push(const T& value) { c_.push_back(value); }
  template <typename... Args> void emplace(Args&&... args) { c_.emplace_back(forward<Args>(args)...); }
  void pop() { c_.pop_front(); }
  T& front() const { return c_.front(); }
  T& back() const { return c_.back(); }
  unsigned long size() const { return c_.size(); }
  bool empty() const { return c_.empty(); }
};
template <typename T, typename C = void> struct stack {
  vector<T> c_;
  void push(const T& value) { c_.push_back(value); }
  template <typename... Args> void emplace(Args&&... args) { c_.emplace_back(forward<Args>(args)...); }
  void pop() { c_.pop_back(); }
  T& top() const { return c_.back(); }
  unsigned long size() const { return c_.size(); }
  bool empty() const { return c_.empty(); }
};
template <typename T> struct atomic {
  T value_;
  atomic() : value_() {}
  atomic(T value) : value_(value) {}
  template <typename... Order> T load(Order... order) const { return value_; }
  template <typename... Order> void store(T value, Order... order) { value_ = value; }
  template <typename... Order> T exchange(T value, Order... order) { T before = value_; value_ = value; return before; }
  template <typename... Order> T fetch_add(T value, Order... order) { T before = value_; value_ = value_ + value; return before; }
  template <typename... Order> T fetch_sub(T value, Order... order) { T before = value_; value_ = value_ - value; return before; }
  T operator++() { value_ = value_ + 1; return value_; }
  T operator++(int) { T before = value_; value_ = value_ + 1; return before; }
  T operator--() { value_ = value_ - 1; return value_; }
  T operator--(int) { T before = value_; value_ = value_ - 1; return before; }
  T operator+=(T value) { value_ = value_ + value; return value_; }
  T operator-=(T value) { value_ = value_ - value; return value_; }
  T operator=(T value) { value_ = value; return value; }
  operator T() const { return value_; }
};
struct nullopt_t {};
constexpr nullopt_t nullopt;
struct in_place_t {};
constexpr in_place_t in_place;
template <typename T> struct optional {
  using value_type = T;
  T value_;
  bool has_ = false;
  optional() {}
  optional(nullopt_t) {}
  template <typename U> optional(U&& value) : value_(forward<U>(value)), has_(true) {}
  template <typename U> optional(const optional<U>& other) : has_(other.has_) { if (has_) value_ = other.value_; }
  template <typename... Args> optional(in_place_t, Args&&... args) : value_(forward<Args>(args)...), has_(true) {}
  optional& operator=(nullopt_t) { has_ = false; return *this; }
  bool has_value() const { return has_; }
  const T& value() const { return value_; }
  T& value() { return value_; }
  T value_or(const T& otherwise) const { return has_ ? value_ : otherwise; }
  T& operator*() { return value_; }
  const T& operator*() const { return value_; }
  T* operator->() { return &value_; }
  const T* operator->() const { return &value_; }
  explicit operator bool() const { return has_; }
  void reset() { has_ = false; }
  template <typename... Args> T& emplace(Args&&... args) {
    new (&value_) T(forward<Args>(args)...);
    has_ = true;
    return value_;
  }
  void swap(optional& other) {
    optional kept = other;
    other = *this;
    *this = kept;
  }
};
template <typename T> optional(T) -> optional<T>;
template <typename T> optional<T> make_optional(const T& value) { return optional<T>(value); }
template <typename T> bool operator==(const optional<T>& a, const optional<T>& b) { return a.has_ == b.has_ && (!a.has_ || a.value_ == b.value_); }
template <typename T> bool operator!=(const optional<T>& a, const optional<T>& b) { return !(a == b); }
template <typename T> bool operator==(const optional<T>& a, nullopt_t) { return !a.has_; }
template <typename T> bool operator!=(const optional<T>& a, nullopt_t) { return a.has_; }
template <typename T> bool operator==(const optional<T>& a, const T& b) { return a.has_ && a.value_ == b; }
template <typename T> bool operator!=(const optional<T>& a, const T& b) { return !(a.has_ && a.value_ == b); }
template <typename T = void> struct default_delete { void operator()(T* p) const {} };
template <typename T> struct element_ { using type = T; };
template <typename T> struct element_<T[]> { using type = T; };
template <typename T, typename D = void> struct unique_ptr {
  using element_type = typename element_<T>::type;
  using pointer = element_type*;
  using deleter_type = D;
  element_type* p_ = nullptr;
  unique_ptr() {}
  unique_ptr(element_type* p) { p_ = p; }
  template <typename X> unique_ptr(element_type* p, X&& deleter) { p_ = p; }
  unique_ptr(unique_ptr&& other) { p_ = other.release(); }
  template <typename U, typename E> unique_ptr(unique_ptr<U, E>&& other) { p_ = other.release(); }
  unique_ptr& operator=(unique_ptr&& other) { p_ = other.release(); return *this; }
  template <typename U, typename E> unique_ptr& operator=(unique_ptr<U, E>&& other) { p_ = other.release(); return *this; }
  element_type* get() const { return p_; }
  element_type& operator*() const { return *p_; }
  element_type* operator->() const { return p_; }
  element_type& operator[](unsigned long index) const { return p_[index]; }
  explicit operator bool() const { return p_ != nullptr; }
  void reset(element_type* p = nullptr) { p_ = p; }
  element_type* release() { element_type* p = p_; p_ = nullptr; return p; }
  D get_deleter() const;
  void swap(unique_ptr& other) { element_type* p = p_; p_ = other.p_; other.p_ = p; }
};
template <typename T> struct shared_ptr {
  using element_type = typename element_<T>::type;
  element_type* p_ = nullptr;
  shared_ptr() {}
  shared_ptr(element_type* p) { p_ = p; }
  template <typename X> shared_ptr(element_type* p, X&& deleter) { p_ = p; }
  template <typename U> shared_ptr(const shared_ptr<U>& owner, element_type* p) { p_ = p; }
  shared_ptr(const shared_ptr& other) { p_ = other.p_; }
  shared_ptr(shared_ptr&& other) { p_ = other.p_; other.p_ = nullptr; }
  template <typename U> shared_ptr(const shared_ptr<U>& other) { p_ = other.p_; }
  template <typename U, typename E> shared_ptr(unique_ptr<U, E>&& other) { p_ = other.release(); }
  shared_ptr& operator=(const shared_ptr& other) { p_ = other.p_; return *this; }
  shared_ptr& operator=(shared_ptr&& other) {
    element_type* p = other.p_;
    other.p_ = nullptr;
    p_ = p;
    return *this;
  }
  template <typename U> shared_ptr& operator=(const shared_ptr<U>& other) { p_ = other.p_; return *this; }
  template <typename U, typename E> shared_ptr& operator=(unique_ptr<U, E>&& other) { p_ = other.release(); return *this; }
  element_type* get() const { return p_; }
  element_type& operator*() const { return *p_; }
  element_type* operator->() const { return p_; }
  element_type& operator[](unsigned long index) const { return p_[index]; }
  explicit operator bool() const { return p_ != nullptr; }
  void reset() { p_ = nullptr; }
  template <typename U> void reset(U* p) { p_ = p; }
  template <typename U, typename X> void reset(U* p, X&& deleter) { p_ = p; }
  void swap(shared_ptr& other) { element_type* p = p_; p_ = other.p_; other.p_ = p; }
  long use_count() const;
  bool unique() const;
};
template <typename T> struct weak_ptr {
  T* p_ = nullptr;
  weak_ptr() {}
  template <typename U> weak_ptr(const shared_ptr<U>& other) { p_ = other.p_; }
  template <typename U> weak_ptr& operator=(const shared_ptr<U>& other) { p_ = other.p_; return *this; }
  shared_ptr<T> lock() const { return shared_ptr<T>(p_); }
  bool expired() const;
  long use_count() const;
  void reset() { p_ = nullptr; }
};
template <typename T> struct enable_shared_from_this {
  shared_ptr<T> shared_from_this() { return shared_ptr<T>((T*)this); }
};
template <typename T, typename U> shared_ptr<T> static_pointer_cast(const shared_ptr<U>& other) { return shared_ptr<T>((T*)other.p_); }
template <typename T, typename U> shared_ptr<T> dynamic_pointer_cast(const shared_ptr<U>& other) { return shared_ptr<T>(dynamic_cast<T*>(other.p_)); }
template <typename T, typename U> shared_ptr<T> const_pointer_cast(const shared_ptr<U>& other) { return shared_ptr<T>((T*)other.p_); }
template <typename T, typename D> bool operator==(const unique_ptr<T, D>& a, const void* b) { return a.p_ == b; }
template <typename T, typename D> bool operator!=(const unique_ptr<T, D>& a, const void* b) { return a.p_ != b; }
template <typename T, typename D> bool operator==(const void* b, const unique_ptr<T, D>& a) { return a.p_ == b; }
template <typename T, typename D> bool operator!=(const void* b, const unique_ptr<T, D>& a) { return a.p_ != b; }
template <typename T> bool operator==(const shared_ptr<T>& a, const void* b) { return a.p_ == b; }
template <typename T> bool operator!=(const shared_ptr<T>& a, const void* b) { return a.p_ != b; }
template <typename T, typename U> bool operator==(const shared_ptr<T>& a, const shared_ptr<U>& b) { return a.p_ == b.p_; }
template <typename T, typename U> bool operator!=(const shared_ptr<T>& a, const shared_ptr<U>& b) { return a.p_ != b.p_; }
template <typename T> struct made_ { template <typename... Args> static T* make(Args&&... args) { return new T(forward<Args>(args)...); } };
template <typename T> struct made_<T[]> {
  static T* make(unsigned long count) {
    T* p = (T*)calloc(count, sizeof(T));
    make_elements_(p, count);
    return p;
  }
};
template <typename T, typename... Args> unique_ptr<T> make_unique(Args&&... args) { return unique_ptr<T>(made_<T>::make(forward<Args>(args)...)); }
template <typename T, typename... Args> shared_ptr<T> make_shared(Args&&... args) { return shared_ptr<T>(made_<T>::make(forward<Args>(args)...)); }
template <typename T> unique_ptr<T> make_unique_for_overwrite(unsigned long count) { return unique_ptr<T>(made_<T>::make(count)); }
constexpr unsigned long dynamic_extent = -1ul;
template <typename T, unsigned long N = dynamic_extent> struct span {
  using element_type = T;
  using value_type = remove_cv_t<T>;
  T* begin_ = nullptr;
  unsigned long size_ = 0;
  span() {}
  span(T* first, unsigned long count) : begin_(first), size_(count) {}
  span(T* first, T* last) : begin_(first), size_(last - first) {}
  template <typename U, unsigned long M> span(U (&elements)[M]) : begin_(elements), size_(M) {}
  template <typename C> span(C&& container) : begin_(container.data()), size_(container.size()) {}
  unsigned long size() const { return size_; }
  unsigned long size_bytes() const { return size_ * sizeof(T); }
  bool empty() const { return size_ == 0; }
  T* data() const { return begin_; }
  T* begin() const { return begin_; }
  T* end() const { return begin_ + size_; }
  T& operator[](unsigned long index) const { return begin_[index]; }
  T& front() const { return begin_[0]; }
  T& back() const { return begin_[size_ - 1]; }
  span<T> first(unsigned long count) const { return span<T>(begin_, count); }
  span<T> last(unsigned long count) const { return span<T>(begin_ + (size_ - count), count); }
  span<T> subspan(unsigned long from, unsigned long count = dynamic_extent) const {
    return span<T>(begin_ + from, count == dynamic_extent ? size_ - from : count);
  }
};
template <typename T> span(T*, unsigned long) -> span<T>;
template <typename T, unsigned long N> span(T (&)[N]) -> span<T>;
template <typename T, typename A> span(vector<T, A>&) -> span<T>;
template <typename T, typename A> span(const vector<T, A>&) -> span<const T>;
template <typename T, unsigned long N> span(array<T, N>&) -> span<T>;
template <typename T, unsigned long N> span(const array<T, N>&) -> span<const T>;
template <typename... Types> struct tuple {};
template <typename Last> struct tuple<Last> {
  Last head_;
  tuple() {}
  tuple(const Last& last) : head_(last) {}
  template <typename T> tuple(const tuple<T>& other) : head_(other.head_) {}
  template <typename T> tuple& operator=(const tuple<T>& other) {
    head_ = other.head_;
    return *this;
  }
};
template <typename Head, typename... Tail> struct tuple<Head, Tail...> {
  Head head_;
  tuple<Tail...> tail_;
  tuple() {}
  tuple(const Head& head, const Tail&... tail) : head_(head), tail_(tail...) {}
  template <typename H, typename... T> tuple(const tuple<H, T...>& other) : head_(other.head_), tail_(other.tail_) {}
  template <typename H, typename... T> tuple& operator=(const tuple<H, T...>& other) {
    head_ = other.head_;
    tail_ = other.tail_;
    return *this;
  }
  template <typename A, typename B> tuple& operator=(const pair<A, B>& both) {
    head_ = both.first;
    tail_.head_ = both.second;
    return *this;
  }
};
template <typename... Types> tuple(Types...) -> tuple<Types...>;
template <typename... Types> tuple<Types...> make_tuple(Types... values) { return tuple<Types...>(values...); }
template <typename... Types> tuple<Types&...> tie(Types&... values) { return tuple<Types&...>(values...); }
struct ignore_ { template <typename T> const ignore_& operator=(const T& value) const { return *this; } };
const ignore_ ignore;
template <typename F, typename Head, typename... Tail, typename... Given>
auto apply_(F f, const tuple<Head, Tail...>& rest, const Given&... given) {
  if constexpr (sizeof...(Tail) == 0) return f(given..., rest.head_);
  else return apply_(f, rest.tail_, given..., rest.head_);
}
template <typename F, typename... Types> auto apply(F f, const tuple<Types...>& values) { return apply_(f, values); }
template <typename F, typename A, typename B> auto apply(F f, const pair<A, B>& both) { return f(both.first, both.second); }
template <typename Head, typename... Tail> bool operator==(const tuple<Head, Tail...>& a, const tuple<Head, Tail...>& b) {
  if constexpr (sizeof...(Tail) == 0) return a.head_ == b.head_;
  else return a.head_ == b.head_ && a.tail_ == b.tail_;
}
template <typename Head, typename... Tail> bool operator<(const tuple<Head, Tail...>& a, const tuple<Head, Tail...>& b) {
  if constexpr (sizeof...(Tail) == 0) return a.head_ < b.head_;
  else return a.head_ < b.head_ || (!(b.head_ < a.head_) && a.tail_ < b.tail_);
}
template <unsigned long I, typename Head, typename... Tail> auto& get(tuple<Head, Tail...>& values) {
  if constexpr (I == 0) return values.head_;
  else return get<I - 1>(values.tail_);
}
template <unsigned long I, typename Head, typename... Tail> const auto& get(const tuple<Head, Tail...>& values) {
  if constexpr (I == 0) return values.head_;
  else return get<I - 1>(values.tail_);
}
template <typename U, typename... Types> struct place_ { static constexpr unsigned long value = 0; };
template <typename U, typename Head, typename... Tail> struct place_<U, Head, Tail...> {
  static constexpr unsigned long value = is_same_v<U, Head> ? 0 : 1 + place_<U, Tail...>::value;
};
template <typename... Types> struct variant {
  tuple<Types...> all_;
  unsigned long index_ = 0;
  variant() {}
  variant(const variant& other) { all_ = other.all_; index_ = other.index_; }
  variant(variant&& other) { all_ = other.all_; index_ = other.index_; }
  variant& operator=(const variant& other) { all_ = other.all_; index_ = other.index_; return *this; }
  variant& operator=(variant&& other) { all_ = other.all_; index_ = other.index_; return *this; }
  template <typename U> variant(const U& value) { *this = value; }
  template <typename U, typename... Args> U& emplace(Args&&... args) {
    index_ = place_<U, Types...>::value;
    get<place_<U, Types...>::value>(all_) = U{forward<Args>(args)...};
    return get<place_<U, Types...>::value>(all_);
  }
  template <typename U> variant& operator=(const U& value) {
    index_ = place_<U, Types...>::value;
    get<place_<U, Types...>::value>(all_) = value;
    return *this;
  }
  unsigned long index() const { return index_; }
};
template <typename U, typename... Types> bool holds_alternative(const variant<Types...>& one) { return one.index_ == place_<U, Types...>::value; }
template <typename U, typename... Types> auto& get(variant<Types...>& one) { return get<place_<U, Types...>::value>(one.all_); }
template <typename U, typename... Types> const auto& get(const variant<Types...>& one) { return get<place_<U, Types...>::value>(one.all_); }
template <typename U, typename... Types> U* get_if(variant<Types...>* one) { return holds_alternative<U>(*one) ? &get<U>(*one) : nullptr; }
template <typename U, typename... Types> const U* get_if(const variant<Types...>* one) { return holds_alternative<U>(*one) ? &get<U>(*one) : nullptr; }
template <unsigned long I, typename... Types> auto& get(variant<Types...>& one) { return get<I>(one.all_); }
template <unsigned long I, typename... Types> const auto& get(const variant<Types...>& one) { return get<I>(one.all_); }
template <unsigned long I, typename... Types> auto* get_if(variant<Types...>* one) { return one->index_ == I ? &get<I>(one->all_) : nullptr; }
template <unsigned long I, typename... Types> const auto* get_if(const variant<Types...>* one) { return one->index_ == I ? &get<I>(one->all_) : nullptr; }
template <unsigned long I, typename F, typename... Types> auto visit_(F& f, variant<Types...>& one) {
  if constexpr (I + 1 < sizeof...(Types)) {
    if (one.index_ != I) return visit_<I + 1>(f, one);
  }
  return f(get<I>(one.all_));
}
template <typename F, typename... Types> auto visit(F&& f, const variant<Types...>& one) { return visit_<0>(f, (variant<Types...>&)one); }
template <typename F, typename... As, typename... Bs> auto visit(F&& f, const variant<As...>& one, const variant<Bs...>& other) {
  return visit([&](auto& a) { return visit([&](auto& b) { return f(a, b); }, other); }, one);
}
struct monostate {};
}
namespace thrust {
using ::std::tuple;
using ::std::make_tuple;
using ::std::tie;
using ::std::get;
template <typename T> using host_vector = std::vector<T>;
template <typename T> using device_ptr = T*;
template <typename T> T* raw_pointer_cast(T* pointer) { return pointer; }
template <typename T> T* device_pointer_cast(T* pointer) { return pointer; }
template <typename T, typename A = void> struct device_vector {
  T* begin_ = nullptr;
  T* end_ = nullptr;
  device_vector() {}
  explicit device_vector(unsigned long count) { resize(count); }
  device_vector(unsigned long count, const T& value) { resize(count); }
  template <typename I> device_vector(I* first, I* last) { resize(last - first); }
  template <typename U, typename B> device_vector(const std::vector<U, B>& other) { resize(other.size()); }
  template <typename U, typename B> device_vector(const device_vector<U, B>& other) { resize(other.size()); }
  device_vector(const device_vector& other) { resize(other.size()); }
  device_vector(device_vector&& other) { move_(other); }
  device_vector& operator=(const device_vector& other) { resize(other.size()); return *this; }
  device_vector& operator=(device_vector&& other) { move_(other); return *this; }
  void move_(device_vector& other) {
    begin_ = other.begin_;
    end_ = other.end_;
    other.begin_ = nullptr;
    other.end_ = nullptr;
  }
  template <typename U, typename B> device_vector& operator=(const std::vector<U, B>& other) { resize(other.size()); return *this; }
  unsigned long size() const { return end_ - begin_; }
  bool empty() const { return begin_ == end_; }
  T* data() const { return begin_; }
  T* begin() const { return begin_; }
  T* end() const { return end_; }
  T& operator[](unsigned long index) const { return begin_[index]; }
  void resize(unsigned long count) {
    if (count <= size()) { end_ = begin_ + count; return; }
    cudaMalloc((void**)&begin_, count * sizeof(T));
    end_ = begin_ + count;
  }
  void resize(unsigned long count, const T& value) { resize(count); }
  void assign(unsigned long count, const T& value) { resize(count); }
  void clear() { end_ = begin_; }
  template <typename... Args> void push_back(Args&&... args);
  void swap(device_vector& other) {
    T* begin = begin_;
    T* end = end_;
    begin_ = other.begin_;
    end_ = other.end_;
    other.begin_ = begin;
    other.end_ = end;
  }
  template <typename... Args> T* insert(Args&&... args);
  template <typename... Args> T* erase(Args&&... args);
};
}
`;
