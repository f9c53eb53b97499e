// Containers have the values that they hold: a copy is another object, whoever makes it.
//> k grid (32,1,1) block (96,1,1) x1 args 1 path 57
//> k grid (2,1,1) block (128,1,1) x1 args 3 path 62
//> k grid (32,1,1) block (32,1,1) x1 args 2 path 65
//> k grid (7,1,1) block (32,1,1) x1 args 2 path 67
//> k grid (32,1,1) block (64,1,1) x1 args 2 path 71
//> k grid (32,1,1) block (1,1,1) x1 args 3 path 74
//> k grid (64,1,1) block (192,1,1) x1 args 4 path 78
//> k grid (3,1,1) block (320,1,1) x1 args 5 path 80
//> k grid (3,1,1) block (9,1,1) x1 args 6 path 85
//> k grid (4,1,1) block (8,1,1) x1 args 2 path 89
//> k grid (5,1,1) block (6,1,1) x1 args 3 path 97
//> k grid (11,1,1) block (12,1,1) x1 args 4 path 98
//> k grid (14,1,1) block (13,1,1) x1 args 13 path 104
//> k grid (14,1,1) block (15,1,1) x1 args 2 path 105
//> k grid (14,1,1) block (16,1,1) x1 args 7 path 108
//> k grid (14,1,1) block (13,1,1) x1 args 8 path 110
//> k grid (15,1,1) block (14,1,1) x1 args 9 path 112
//> k grid (16,1,1) block (17,1,1) x1 args 10 path 115
//> k grid (18,1,1) block (20,1,1) x1 args 19 path 120
//> k grid (32,1,1) block (22,1,1) x1 args 21 path 123
//> k grid (32,1,1) block (23,1,1) x1 args 1 path 131
//> k grid (24,1,1) block (1,1,1) x1 args 2 path 132
//> k grid (309,1,1) block (311,1,1) x1 args 32 path 138
//> k grid (313,1,1) block (313,1,1) x1 args 256 path 141
//> k grid (1,1,1) block (64,1,1) x1 args 11 path 144
//> k grid (17,1,1) block (64,1,1) x1 args 12 path 146
//> k grid (64,1,1) block (17,1,1) x1 args 13 path 148
//> k grid (64,1,1) block (28,1,1) x1 args 14 path 151
//> k grid (4,1,1) block (8,1,1) x1 args 15 path 155
//> k grid (1,1,1) block (29,1,1) x1 args 16 path 158
#include <array>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>
__global__ void k(int n) {}

struct Shape { std::vector<int> dims; int scale; };
struct Net { std::string name; Shape shape; std::array<std::vector<int>, 2> sides; };

void byValue(std::vector<int> v) { v[0] = 1000; v.push_back(5); }
void byReference(std::vector<int>& v) { v[0] = 7; }
std::vector<int> twice(const std::vector<int>& v) {
    std::vector<int> result = v;
    for (int& each : result) each *= 2;
    return result;
}
std::vector<int> same(std::vector<int> v) { return v; }

int main() {
    std::vector<int> a = {32, 64};
    auto b = a;
    b[0] = 96;
    k<<<a[0], b[0]>>>(1);

    std::vector<int> c(a), d{a};
    c[1] = 128;
    d.push_back(160);
    k<<<a.size(), c[1]>>>(d.size());

    byValue(a);
    k<<<a[0], 32>>>(a.size());
    byReference(a);
    k<<<a[0], 32>>>(a.size());
    a[0] = 32;

    auto doubled = twice(a);
    k<<<a[0], doubled[0]>>>(2);
    auto again = same(a);
    again[0] = 1;
    k<<<a[0], again[0]>>>(3);

    b = a;
    b[1] = 192;
    k<<<a[1], b[1]>>>(4);
    b = {256, 288, 320};
    k<<<b.size(), b[2]>>>(5);

    Shape one{{3, 4}, 2};
    Shape two = one;
    two.dims[0] = 9;
    k<<<one.dims[0], two.dims[0]>>>(6);
    two = one;
    two.dims[1] = 8;
    two.scale = 5;
    k<<<one.dims[1], two.dims[1]>>>(one.scale);

    Net net{"net", {{5}, 1}, {}};
    net.sides[1] = {11};
    Net copy = net;
    copy.shape.dims[0] = 6;
    copy.sides[1][0] = 12;
    copy.name += "s";
    k<<<net.shape.dims[0], copy.shape.dims[0]>>>(net.name.size());
    k<<<net.sides[1][0], copy.sides[1][0]>>>(copy.name.size());

    std::vector<std::vector<int>> table(2, std::vector<int>(3, 13));
    table[0][0] = 14;
    auto other = table;
    other[1][1] = 15;
    k<<<table[0][0], table[1][0]>>>(table[1][1]);
    k<<<other[0][0], other[1][1]>>>(other.size());
    std::vector<int> row = table[0];
    row[0] = 16;
    k<<<table[0][0], row[0]>>>(7);
    for (auto each : table) each[0] = 99;
    k<<<table[0][0], table[1][0]>>>(8);
    for (auto& each : table) each[0] += 1;
    k<<<table[0][0], table[1][0]>>>(9);
    table.push_back(row);
    row[0] = 17;
    k<<<table[2][0], row[0]>>>(10);

    std::pair<std::vector<int>, int> both{{18}, 19};
    auto [first, second] = both;
    first[0] = 20;
    k<<<both.first[0], first[0]>>>(second);
    auto tuple = std::make_tuple(a, 21);
    std::get<0>(tuple)[0] = 22;
    k<<<a[0], std::get<0>(tuple)[0]>>>(std::get<1>(tuple));

    std::map<int, std::vector<int>> map;
    map[4] = a;
    map[4][0] = 23;
    auto mapped = map;
    mapped[4][0] = 24;
    mapped[5] = {1};
    k<<<a[0], map[4][0]>>>(map.size());
    k<<<mapped[4][0], mapped[5][0]>>>(mapped.size());

    int calls = 25;
    auto lambda = [a, copied = b, calls]() mutable { a[0] = 26; copied[0]++; calls++; return a[0] + copied[0] + calls; };
    a[1] = 27;
    int once = lambda(), twofold = lambda();
    k<<<once, twofold>>>(a[0]);
    std::function<int()> held = lambda;
    once = held(), twofold = lambda();
    k<<<once, twofold>>>(b[0]);

    std::vector<int> moved = std::move(doubled);
    k<<<doubled.size() + 1, moved[0]>>>(11);
    std::swap(moved, row);
    k<<<moved[0], row[0]>>>(12);
    moved.swap(row);
    k<<<moved[0], row[0]>>>(13);
    auto chosen = calls > 3 ? moved : row;
    chosen[0] = 28;
    k<<<moved[0], chosen[0]>>>(14);

    std::string s = "four", t = s;
    t += "teen";
    k<<<s.size(), t.size()>>>(15);
    std::array<int, 3> x = {1, 2, 3}, y = x;
    y[0] = 29;
    k<<<x[0], y[0]>>>(16);
}
