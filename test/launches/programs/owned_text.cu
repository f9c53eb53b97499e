// A copy of a string that is written to gets characters of its own, of which there are as many, with room for as many; the other keeps its own.
//> meant grid (5,1,1) block (32,1,1) x1 args 8 path 11
//> meant grid (7,1,1) block (32,1,1) x1 args 8 path 15
#include <string>
__global__ void meant(int n) {}

int main() {
    std::string a("tiled"), b = a;
    b[0] = 'w';
    b += "_16";
    if (a == "tiled" && b == "wiled_16") meant<<<a.size(), 32>>>(b.size());
    std::string c = b;
    c.pop_back();
    c[0] = 't';
    if (c == "tiled_1" && b == "wiled_16") meant<<<c.length(), 32>>>(b.length());
}
