// The algorithms of the standard library over ranges of elements, as source that is lowered like the user's own. It is read only for
// programs that call one of them (translation.ts), once.

/** Name under which the ranges of this text appear. */
export const algorithmFile = "<algorithms>";

/** What a program that needs `algorithmText` mentions. */
export const algorithmNames =
  /\b(fill|fill_n|copy|copy_n|iota|find|find_if|any_of|all_of|count|max_element|min_element|accumulate|inner_product|partial_sum|transform|for_each|multiplies|exchange|gcd|lcm)\b/;

export const algorithmText = `
namespace std {
template <typename T, typename V> void fill(T* first, T* last, const V& value) { __warplint_fill(first, last - first, (T)value); }
template <typename T, typename U> U* copy(T* first, T* last, U* to) {
  __warplint_copy(to, first, last - first);
  return to + (last - first);
}
template <typename T, typename V> T* fill_n(T* first, unsigned long count, const V& value) {
  __warplint_fill(first, count, (T)value);
  return first + count;
}
template <typename T, typename U> U* copy_n(T* first, unsigned long count, U* to) {
  __warplint_copy(to, first, count);
  return to + count;
}
template <typename T, typename V> void iota(T* first, T* last, V value) {
  for (; first != last; ++first, ++value) *first = value;
}
template <typename T, typename V> T* find(T* first, T* last, const V& value) {
  while (first != last && !(*first == value)) ++first;
  return first;
}
template <typename T, typename F> T* find_if(T* first, T* last, F isMeant) {
  while (first != last && !isMeant(*first)) ++first;
  return first;
}
template <typename T, typename F> bool any_of(T* first, T* last, F isMeant) { return find_if(first, last, isMeant) != last; }
template <typename T, typename F> bool all_of(T* first, T* last, F isMeant) {
  while (first != last && isMeant(*first)) ++first;
  return first == last;
}
template <typename T, typename V> long count(T* first, T* last, const V& value) {
  long found = 0;
  for (; first != last; ++first) found += *first == value;
  return found;
}
template <typename T> T* max_element(T* first, T* last) {
  T* best = first;
  for (; first != last; ++first) if (*best < *first) best = first;
  return best;
}
template <typename T> T* min_element(T* first, T* last) {
  T* best = first;
  for (; first != last; ++first) if (*first < *best) best = first;
  return best;
}
template <typename T, typename V> V accumulate(T* first, T* last, V value) {
  for (; first != last; ++first) value = value + *first;
  return value;
}
template <typename T, typename V, typename F> V accumulate(T* first, T* last, V value, F operation) {
  for (; first != last; ++first) value = operation(value, *first);
  return value;
}
template <typename T, typename U, typename V> V inner_product(T* first, T* last, U* other, V value) {
  for (; first != last; ++first, ++other) value = value + *first * *other;
  return value;
}
template <typename T, typename U> U* partial_sum(const T* first, const T* last, U* to) {
  T sum = 0;
  for (; first != last; ++first, ++to) {
    sum = sum + *first;
    *to = sum;
  }
  return to;
}
template <typename T, typename U, typename F> U* transform(T* first, T* last, U* to, F operation) {
  for (; first != last; ++first, ++to) *to = operation(*first);
  return to;
}
template <typename T, typename F> F for_each(T* first, T* last, F operation) {
  for (; first != last; ++first) operation(*first);
  return operation;
}
template <typename T, typename V> T exchange(T& place, const V& value) {
  T kept = place;
  place = value;
  return kept;
}
template <typename T> T gcd(T a, T b) {
  while (b != 0) {
    T rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}
template <typename T> T lcm(T a, T b) { return a / gcd(a, b) * b; }
template <typename T = void> struct multiplies { template <typename A, typename B> auto operator()(const A& a, const B& b) const { return a * b; } };
}
`;
