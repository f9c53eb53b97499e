// The maps and sets of the standard library as host code sees them, as source that is lowered like the user's own. It is read only for programs
// that name one of them (libraries.ts), once.

/** Name under which the ranges of this text appear. */
export const mapFile = "<maps>";

/** What a program that needs `mapText` mentions. */
export const mapNames = /\b(unordered_)?(map|set)\b/;

/**
 * A map is an array of its entries in the order of their keys, an unordered one as well: it has the same entries. Hashes and comparisons of the
 * program's own are not looked at.
 */
export const mapText = `
namespace std {
template <typename Entry> struct entries_ {
  using value_type = Entry;
  using size_type = unsigned long;
  using iterator = Entry*;
  using const_iterator = const Entry*;
  Entry* begin_ = nullptr;
  Entry* end_ = nullptr;
  entries_() {}
  entries_(const entries_& other) { copy_(other); }
  entries_(entries_&& other) { move_(other); }
  entries_& operator=(const entries_& other) {
    if (this != &other) copy_(other);
    return *this;
  }
  entries_& operator=(entries_&& other) {
    if (this != &other) move_(other);
    return *this;
  }
  void copy_(const entries_& other) {
    unsigned long count = other.size();
    Entry* from = other.begin_;
    begin_ = (Entry*)calloc(count, sizeof(Entry));
    end_ = begin_ + count;
    if constexpr (__warplint_copies_bytes_v<Entry>) __warplint_copy(begin_, from, count);
    else
      for (Entry* to = begin_; to != end_; ++to, ++from) new (to) Entry(*from);
  }
  void move_(entries_& other) {
    begin_ = other.begin_;
    end_ = other.end_;
    other.begin_ = nullptr;
    other.end_ = nullptr;
  }
  void swap(entries_& other) {
    Entry* begin = begin_;
    Entry* end = end_;
    begin_ = other.begin_;
    end_ = other.end_;
    other.begin_ = begin;
    other.end_ = end;
  }
  unsigned long size() const { return end_ - begin_; }
  bool empty() const { return begin_ == end_; }
  Entry* begin() const { return begin_; }
  Entry* end() const { return end_; }
  const Entry* cbegin() const { return begin_; }
  const Entry* cend() const { return end_; }
  void clear() { end_ = begin_; }
  void reserve(unsigned long count) {}
  Entry* open_(Entry* at) {
    unsigned long before = at - begin_;
    unsigned long after = end_ - at;
    Entry* old = begin_;
    begin_ = (Entry*)calloc(before + after + 1, sizeof(Entry));
    end_ = begin_ + before + after + 1;
    __warplint_copy(begin_, old, before);
    __warplint_copy(begin_ + before + 1, at, after);
    return begin_ + before;
  }
  Entry* erase(Entry* at) {
    __warplint_copy(at, at + 1, end_ - at - 1);
    end_ = end_ - 1;
    return at;
  }
  Entry* erase(Entry* first, Entry* last) {
    __warplint_copy(first, last, end_ - last);
    end_ = end_ - (last - first);
    return first;
  }
};
template <typename K, typename V, typename C = void, typename E = void, typename A = void> struct map : entries_<pair<K, V>> {
  using key_type = K;
  using mapped_type = V;
  map() {}
  map(initializer_list<pair<K, V>> list) { insert(list.begin(), list.end()); }
  template <typename I> map(I* first, I* last) { insert(first, last); }
  map& operator=(initializer_list<pair<K, V>> list) {
    this->clear();
    insert(list.begin(), list.end());
    return *this;
  }
  template <typename I> void insert(I* first, I* last) {
    for (; first != last; ++first) emplace(first->first, first->second);
  }
  void insert(initializer_list<pair<K, V>> list) { insert(list.begin(), list.end()); }
  using entries_<pair<K, V>>::erase;
  unsigned long erase(const K& key) {
    pair<K, V>* at = find(key);
    if (at == this->end_) return 0;
    this->erase(at);
    return 1;
  }
  pair<K, V>* lower_bound(const K& key) const {
    pair<K, V>* at = this->begin_;
    while (at != this->end_ && at->first < key) ++at;
    return at;
  }
  pair<K, V>* find(const K& key) const {
    pair<K, V>* at = lower_bound(key);
    return at != this->end_ && at->first == key ? at : this->end_;
  }
  unsigned long count(const K& key) const { return find(key) != this->end_ ? 1 : 0; }
  bool contains(const K& key) const { return find(key) != this->end_; }
  V& at(const K& key) const { return find(key)->second; }
  V& operator[](const K& key) {
    pair<K, V>* at = lower_bound(key);
    if (at == this->end_ || !(at->first == key)) {
      at = this->open_(at);
      at->first = key;
      at->second = V();
    }
    return at->second;
  }
  pair<pair<K, V>*, bool> emplace(const K& key, const V& value) {
    pair<K, V>* at = lower_bound(key);
    bool isNew = at == this->end_ || !(at->first == key);
    if (isNew) {
      at = this->open_(at);
      at->first = key;
      at->second = value;
    }
    return pair<pair<K, V>*, bool>{at, isNew};
  }
  pair<pair<K, V>*, bool> insert(const pair<K, V>& entry) { return emplace(entry.first, entry.second); }
  pair<pair<K, V>*, bool> try_emplace(const K& key, const V& value) { return emplace(key, value); }
  pair<pair<K, V>*, bool> insert_or_assign(const K& key, const V& value) {
    (*this)[key] = value;
    return pair<pair<K, V>*, bool>{find(key), false};
  }
};
template <typename K, typename V, typename H = void, typename E = void, typename A = void> using unordered_map = map<K, V>;
template <typename K, typename C = void, typename E = void, typename A = void> struct set : entries_<K> {
  using key_type = K;
  set() {}
  set(initializer_list<K> list) { insert(list.begin(), list.end()); }
  set& operator=(initializer_list<K> list) {
    this->clear();
    insert(list.begin(), list.end());
    return *this;
  }
  void insert(initializer_list<K> list) { insert(list.begin(), list.end()); }
  using entries_<K>::erase;
  unsigned long erase(const K& key) {
    K* at = find(key);
    if (at == this->end_) return 0;
    this->erase(at);
    return 1;
  }
  template <typename I> set(I* first, I* last) { insert(first, last); }
  template <typename I> void insert(I* first, I* last) {
    for (; first != last; ++first) insert(*first);
  }
  K* lower_bound(const K& key) const {
    K* at = this->begin_;
    while (at != this->end_ && *at < key) ++at;
    return at;
  }
  K* find(const K& key) const {
    K* at = lower_bound(key);
    return at != this->end_ && *at == key ? at : this->end_;
  }
  unsigned long count(const K& key) const { return find(key) != this->end_ ? 1 : 0; }
  bool contains(const K& key) const { return find(key) != this->end_; }
  pair<K*, bool> insert(const K& key) {
    K* at = lower_bound(key);
    bool isNew = at == this->end_ || !(*at == key);
    if (isNew) {
      at = this->open_(at);
      *at = key;
    }
    return pair<K*, bool>{at, isNew};
  }
  pair<K*, bool> emplace(const K& key) { return insert(key); }
};
template <typename K, typename H = void, typename E = void, typename A = void> using unordered_set = set<K>;
}
`;
