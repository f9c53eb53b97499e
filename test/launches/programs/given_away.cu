// A template whose address a function gives away is called by whoever gets it: its launch has the block that it says. One that is called is entered through its caller.
//> given<float> grid (?,1,1) block (32,1,1) x1 args ?p:p@null, ? path 12 | T = float assumed
//> given<double> grid (?,1,1) block (32,1,1) x1 args ?p:p@null, ? path 12 | T = double assumed
//> called<float> grid (1,1,1) block (64,1,1) x1 args ?p:p@null, 8 path 16 20 | T = float assumed
//> called<double> grid (1,1,1) block (64,1,1) x1 args ?p:p@null, 8 path 16 20 | T = double assumed
template <typename T> __global__ void given(T* p, int n) {}
template <typename T> __global__ void called(T* p, int n) {}

using Convert = void (*)(half* p, int n);
template <typename T>
void convert(T* p, int n) {
    given<<<(n + 255) / 256, 32>>>(p, n);
}
template <typename T>
void within(T* p, int n) {
    called<<<1, 64>>>(p, n);
}
template <typename T>
void around(T* p) {
    within<T>(p, 8);
}
Convert converterOf(int type) {
    return type == 1 ? convert<half> : nullptr;
}
