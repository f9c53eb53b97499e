// The strings of the standard library as host code sees them, as source that is lowered like the user's own. It is read only for programs that
// name one of them (libraries.ts), once.

/** Name under which the ranges of this text appear. */
export const stringFile = "<strings>";

/** What a program that needs `stringText` mentions. */
export const stringNames = /\b(string|string_view|to_string|sto(i|l|ll|ul|ull|f|d))\b/;

/**
 * A string is where its characters begin, how many they are and how many have room; zeros stand behind them. Copies share them, so that whatever may write to
 * shared ones makes characters of its own first. Whether they are shared, searches and comparisons are the host interpreter's (launches/host/text.ts).
 */
export const stringText = `
namespace std {
struct string {
  using value_type = char;
  using size_type = unsigned long;
  using iterator = char*;
  using const_iterator = const char*;
  static constexpr unsigned long npos = -1ul;
  char* begin_;
  unsigned long size_;
  unsigned long capacity_;
  string() : begin_((char*)""), size_(0), capacity_(0) {}
  string(const char* text) { take_(text, strlen(text)); }
  string(const char* text, unsigned long count) { take_(text, count); }
  string(const char* first, const char* last) { take_(first, last - first); }
  string(unsigned long count, char value) {
    begin_ = (char*)calloc(count + 1, 1);
    __warplint_fill(begin_, count, value);
    size_ = count;
    capacity_ = count;
  }
  string(const string& other, unsigned long from, unsigned long count = npos) { *this = other.substr(from, count); }
  void take_(const char* from, unsigned long count) {
    grow_(from, count, count);
  }
  void grow_(const char* from, unsigned long count, unsigned long capacity) {
    char* to = (char*)calloc(capacity + 1, 1);
    memcpy(to, from, count);
    begin_ = to;
    size_ = count;
    capacity_ = capacity;
  }
  void own_() {
    if (__warplint_is_shared(begin_)) take_(begin_, size_);
  }
  unsigned long size() const { return size_; }
  unsigned long length() const { return size_; }
  bool empty() const { return size_ == 0; }
  const char* c_str() const { return begin_; }
  const char* data() const { return begin_; }
  const char* begin() const { return begin_; }
  const char* end() const { return begin_ + size_; }
  const char& operator[](unsigned long index) const { return begin_[index]; }
  const char& at(unsigned long index) const { return begin_[index]; }
  const char& front() const { return begin_[0]; }
  const char& back() const { return begin_[size_ - 1]; }
  char* data() { own_(); return begin_; }
  char* begin() { own_(); return begin_; }
  char* end() { return begin_ + size_; }
  char& operator[](unsigned long index) { own_(); return begin_[index]; }
  char& at(unsigned long index) { own_(); return begin_[index]; }
  char& front() { own_(); return begin_[0]; }
  char& back() { own_(); return begin_[size_ - 1]; }
  void clear() { begin_ = (char*)""; size_ = 0; capacity_ = 0; }
  void reserve(unsigned long count) {}
  string& append(const char* text, unsigned long count) {
    unsigned long total = size_ + count;
    if (!__warplint_has_room(begin_, capacity_, total)) grow_(begin_, size_, 2 * total);
    memcpy(begin_ + size_, text, count);
    size_ = total;
    return *this;
  }
  string& append(const string& other) { return append(other.begin_, other.size_); }
  string& operator+=(const string& other) { return append(other.begin_, other.size_); }
  string& operator+=(char letter) { return append(&letter, 1); }
  void push_back(char letter) { append(&letter, 1); }
  void pop_back() { take_(begin_, size_ - 1); }
  string& assign(const string& other) { *this = other; return *this; }
  string substr(unsigned long from = 0, unsigned long count = npos) const {
    unsigned long rest = size_ - from;
    return string(begin_ + from, count < rest ? count : rest);
  }
  int compare(const string& other) const { return __warplint_text_compare(begin_, size_, other.begin_, other.size_); }
  int compare(unsigned long from, unsigned long count, const string& other) const { return substr(from, count).compare(other); }
  unsigned long find(const string& part, unsigned long from = 0) const {
    return __warplint_text_find(begin_, size_, part.begin_, part.size_, from);
  }
  unsigned long find(char letter, unsigned long from = 0) const { return __warplint_text_find(begin_, size_, &letter, 1ul, from); }
  unsigned long rfind(const string& part, unsigned long from = npos) const {
    return __warplint_text_rfind(begin_, size_, part.begin_, part.size_, from);
  }
  unsigned long rfind(char letter, unsigned long from = npos) const { return __warplint_text_rfind(begin_, size_, &letter, 1ul, from); }
  bool starts_with(const string& part) const { return substr(0, part.size_).compare(part) == 0; }
  bool ends_with(const string& part) const { return size_ >= part.size_ && substr(size_ - part.size_).compare(part) == 0; }
  bool contains(const string& part) const { return find(part) != npos; }
  void remove_prefix(unsigned long count) { *this = substr(count); }
  void remove_suffix(unsigned long count) { *this = substr(0, size_ - count); }
  template <typename... Args> unsigned long find_first_of(Args&&... args) const;
  template <typename... Args> unsigned long find_last_of(Args&&... args) const;
  template <typename... Args> unsigned long find_first_not_of(Args&&... args) const;
  template <typename... Args> unsigned long find_last_not_of(Args&&... args) const;
  void resize(unsigned long count, char value = 0) {
    if (count <= size_) take_(begin_, count);
    else append(string(count - size_, value));
    size_ = count;
  }
  template <typename... Args> string& insert(Args&&... args);
  template <typename... Args> string& erase(Args&&... args);
  template <typename... Args> string& replace(Args&&... args);
};
using string_view = string;
bool operator==(const string& a, const string& b) { return a.compare(b) == 0; }
bool operator!=(const string& a, const string& b) { return a.compare(b) != 0; }
bool operator<(const string& a, const string& b) { return a.compare(b) < 0; }
bool operator>(const string& a, const string& b) { return a.compare(b) > 0; }
bool operator<=(const string& a, const string& b) { return a.compare(b) <= 0; }
bool operator>=(const string& a, const string& b) { return a.compare(b) >= 0; }
string operator+(const string& a, const string& b) {
  string sum = a;
  return sum.append(b.begin_, b.size_);
}
string operator+(const string& a, char letter) {
  string sum = a;
  return sum.append(&letter, 1);
}
string to_string(int value) { return string(__warplint_integer_text(value)); }
string to_string(unsigned int value) { return string(__warplint_integer_text(value)); }
string to_string(long value) { return string(__warplint_integer_text(value)); }
string to_string(unsigned long value) { return string(__warplint_integer_text(value)); }
string to_string(long long value) { return string(__warplint_integer_text(value)); }
string to_string(unsigned long long value) { return string(__warplint_integer_text(value)); }
string to_string(float value) { return string(__warplint_real_text(value)); }
string to_string(double value) { return string(__warplint_real_text(value)); }
int stoi(const string& text, unsigned long* end = nullptr, int base = 10) { return strtol(text.begin_, nullptr, base); }
long stol(const string& text, unsigned long* end = nullptr, int base = 10) { return strtol(text.begin_, nullptr, base); }
long long stoll(const string& text, unsigned long* end = nullptr, int base = 10) { return strtoll(text.begin_, nullptr, base); }
unsigned long stoul(const string& text, unsigned long* end = nullptr, int base = 10) { return strtoul(text.begin_, nullptr, base); }
unsigned long long stoull(const string& text, unsigned long* end = nullptr, int base = 10) { return strtoull(text.begin_, nullptr, base); }
float stof(const string& text) { return strtof(text.begin_, nullptr); }
double stod(const string& text) { return strtod(text.begin_, nullptr); }
}
`;
