// Lists that grow in loops, longer ones than anybody follows statement by statement; a loop in which the last of many additions is in doubt.
//> sized grid (28,1,1) block (128,1,1) x1 args 3500 path 27
//> sized grid (300,1,1) block (32,1,1) x1 args ? path 36
//> sized grid (2,1,1) block (64,1,1) x1 args 100000 path 43
#include <cstdio>
#include <cstdlib>
#include <vector>

struct Edge { int from, to; };

__global__ void sized(int n) {}

int touched = 0;

int next(int value) { touched++; return value + 1; }

int main() {
    std::vector<int> columns, ends(1, 0);
    std::vector<Edge> edges;
    for (int row = 0; row < 1000; row++) {
        for (int k = 0; k < 3 + row % 2; k++) {
            columns.push_back(rand() % 1000);
            edges.push_back(Edge{row, k});
        }
        ends.push_back((int)columns.size());
    }
    sized<<<(columns.size() + 127) / 128, 128>>>((int)edges.size());

    FILE* file = fopen("keys.txt", "r");
    std::vector<int> keys;
    int count = 0;
    for (int i = 0; i < 300; i++) {
        count = next(count);
        if (i != 299 || file) keys.push_back(i);
    }
    sized<<<touched, 32>>>((int)keys.size());

    unsigned state = 1, odd = 0;
    for (int i = 0; i < 100000; i++) {
        state = state * 1664525u + 1013904223u;
        odd++;
    }
    sized<<<2, 64>>>((int)odd);
    return 0;
}
