// The algorithms of the standard library over ranges of elements, as source that is lowered like the user's own. It is read only for
// programs that call one of them (translation.ts), once.

/** Name under which the ranges of this text appear. */
export const algorithmFile = "<algorithms>";

/** What a program that needs `algorithmText` mentions. */
export const algorithmNames =
  /\b(fill|fill_n|copy|copy_n|iota|find|find_if|any_of|all_of|count|max_element|min_element|accumulate|inner_product|partial_sum|transform|for_each|multiplies|exchange|gcd|lcm|minmax|minmax_element|none_of|count_if|copy_if|remove_if|remove|erase|unique|reverse|sort|stable_sort|generate|generate_n|lower_bound|upper_bound|exclusive_scan|inclusive_scan|reduce|distance|next|prev|minus|less|greater)\b/;

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
template <typename T, typename F> bool none_of(T* first, T* last, F isMeant) { return find_if(first, last, isMeant) == last; }
template <typename T, typename F> long count_if(T* first, T* last, F isMeant) {
  long found = 0;
  for (; first != last; ++first) if (isMeant(*first)) ++found;
  return found;
}
template <typename T, typename U, typename F> U* copy_if(T* first, T* last, U* to, F isMeant) {
  for (; first != last; ++first) if (isMeant(*first)) { *to = *first; ++to; }
  return to;
}
template <typename T, typename F> T* remove_if(T* first, T* last, F isMeant) {
  return copy_if(first, last, first, [&](const T& each) { return !isMeant(each); });
}
template <typename T, typename V> T* remove(T* first, T* last, const V& value) {
  return copy_if(first, last, first, [&](const T& each) { return !(each == value); });
}
template <typename T> T* unique(T* first, T* last) {
  T* to = first;
  for (T* at = first; at != last; ++at) if (at == first || !(*(to - 1) == *at)) { *to = *at; ++to; }
  return to;
}
template <typename T> void reverse(T* first, T* last) {
  for (; first < last - 1; ++first) {
    last = last - 1;
    T kept = *first;
    *first = *last;
    *last = kept;
  }
}
template <typename T, typename F> void stable_sort(T* first, T* last, F isLess) {
  const long count = last - first;
  T* from = first;
  T* to = (T*)calloc(count, sizeof(T));
  for (long width = 1; width < count; width *= 2) {
    T* at = to;
    for (long start = 0; start < count; start += 2 * width) {
      const long middle = start + width < count ? start + width : count;
      const long end = middle + width < count ? middle + width : count;
      const T* a = from + start;
      const T* b = from + middle;
      for (long left = end - start; left > 0; --left, ++at) {
        if (a < from + middle && (b >= from + end || !isLess(*b, *a))) { *at = *a; ++a; }
        else { *at = *b; ++b; }
      }
    }
    T* kept = from;
    from = to;
    to = kept;
  }
  if (from != first) __warplint_copy(first, from, count);
}
template <typename T> void stable_sort(T* first, T* last) { stable_sort(first, last, [](const T& a, const T& b) { return a < b; }); }
template <typename T, typename F> void sort(T* first, T* last, F isLess) { stable_sort(first, last, isLess); }
template <typename T> void sort(T* first, T* last) { stable_sort(first, last); }
template <typename T, typename F> void generate(T* first, T* last, F make) { for (; first != last; ++first) *first = make(); }
template <typename T, typename F> T* generate_n(T* first, unsigned long count, F make) {
  generate(first, first + count, make);
  return first + count;
}
template <typename T, typename V> T* lower_bound(T* first, T* last, const V& value) {
  while (first != last && *first < value) ++first;
  return first;
}
template <typename T, typename V> T* upper_bound(T* first, T* last, const V& value) {
  while (first != last && !(value < *first)) ++first;
  return first;
}
template <typename T> long distance(T* first, T* last) { return last - first; }
template <typename T> T* next(T* at, long by = 1) { return at + by; }
template <typename T> T* prev(T* at, long by = 1) { return at - by; }
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
template <typename T> pair<T, T> minmax(const T& a, const T& b) { return b < a ? pair<T, T>{b, a} : pair<T, T>{a, b}; }
template <typename T, typename F> T* max_element(T* first, T* last, F isLess) {
  T* best = first;
  for (; first != last; ++first) if (isLess(*best, *first)) best = first;
  return best;
}
template <typename T, typename F> T* min_element(T* first, T* last, F isLess) {
  T* best = first;
  for (; first != last; ++first) if (isLess(*first, *best)) best = first;
  return best;
}
template <typename T> pair<T*, T*> minmax_element(T* first, T* last) { return pair<T*, T*>{min_element(first, last), max_element(first, last)}; }
template <typename T, typename V> V accumulate(T* first, T* last, V value) {
  for (; first != last; ++first) value = value + *first;
  return value;
}
template <typename T, typename V, typename F> V accumulate(T* first, T* last, V value, F operation) {
  for (; first != last; ++first) value = operation(value, *first);
  return value;
}
template <typename T, typename... Given> auto reduce(T* first, T* last, Given... given) {
  if constexpr (sizeof...(Given) == 0) return accumulate(first, last, T(0));
  else return accumulate(first, last, given...);
}
template <typename T, typename U> U* inclusive_scan(T* first, T* last, U* to) { return partial_sum(first, last, to); }
template <typename T, typename U, typename V> U* exclusive_scan(T* first, T* last, U* to, V sum) {
  for (; first != last; ++first, ++to) {
    V before = sum;
    sum = sum + *first;
    *to = before;
  }
  return to;
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
template <typename T, typename S, typename U, typename F> U* transform(T* first, T* last, S* second, U* to, F operation) {
  for (; first != last; ++first, ++second, ++to) *to = operation(*first, *second);
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
template <typename T = void> struct multiplies { template <typename A, typename B> __host__ __device__ auto operator()(const A& a, const B& b) const { return a * b; } };
template <typename T = void> struct minus { template <typename A, typename B> __host__ __device__ auto operator()(const A& a, const B& b) const { return a - b; } };
template <typename T = void> struct less { template <typename A, typename B> __host__ __device__ auto operator()(const A& a, const B& b) const { return a < b; } };
template <typename T = void> struct greater { template <typename A, typename B> __host__ __device__ auto operator()(const A& a, const B& b) const { return a > b; } };
}
`;
