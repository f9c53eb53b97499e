// Maps and sets that are given their entries later, and objects that something happens to which is not understood.
//> k grid (2,1,1) block (96,1,1) x1 args 1 path 24
//> k grid (3,1,1) block (32,1,1) x1 args 2 path 26
//> k grid (4,1,1) block (5,1,1) x1 args 3 path 28
//> k grid (2,1,1) block (64,1,1) x1 args 4 path 31
//> k grid (1,1,1) block (7,1,1) x1 args 5 path 33
//> k grid (1,1,1) block (2,1,1) x1 args 6 path 35
//> k grid (?,1,1) block (32,1,1) x1 args 7 path 38
//> k grid (?,1,1) block (64,1,1) x1 args 8 path 40
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>
__global__ void k(int n) {}
struct Config {
  std::unordered_map<std::string, std::string> values;
  static Config defaults() { Config c; c.values = {{"block", "96"}, {"name", "a"}}; return c; }
  int get(const std::string& key, int other) const { auto it = values.find(key); return it == values.end() ? other : std::stoi(it->second); }
};
struct Counter { int n = 3; };
int main() {
  Config c = Config::defaults();
  k<<<c.values.size(), c.get("block", 32)>>>(1);
  std::set<int> s{9}; s = {1, 2}; s.insert({2, 5});
  k<<<s.size(), c.get("threads", 32)>>>(2);
  std::map<int, int> m; m.insert({{1, 5}, {2, 6}}); m.insert({3, 7}); std::map<int, int> more{{3, 9}, {4, 8}}; m.insert(more.begin(), more.end());
  k<<<m.size(), m[1]>>>(3);
  m.erase(1);
  m.erase(m.find(2));
  k<<<m.size(), 64>>>(4);
  m.erase(m.begin());
  k<<<m.size(), m.at(4) - 1>>>(5);
  m = {}; std::vector<int> v{1, 2}; v = {};
  k<<<m.size() + 1, v.size() + 2>>>(6);
  std::map<int, int> t{{1, 2}};
  t.merge(unseen);
  k<<<t.size(), 32>>>(7);
  Counter counter; counter = something.odd<3>{};
  k<<<counter.n, 64>>>(8);
}
