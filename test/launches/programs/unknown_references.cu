// Objects whose types are not known are bound to references, const or not.
//> scaled<64> grid (?,1,1) block (64,4,1) x1 args ?p:p@null, ? path 8 15 | host condition `size` taken every way
//> scaled<128> grid (?,1,1) block (128,4,1) x1 args ?p:p@null, ? path 8 16 | host condition `size` taken every way
template <int N> __global__ void scaled(float* p, int n) {}

template <int N> static void launch(Unknown::Tensor& out, const Unknown::Tensor& in, int rows) {
    const dim3 block(N, 4), grid((rows + 3) / 4);
    scaled<N><<<grid, block>>>(out.template data_ptr<float>(), rows);
}
Unknown::Tensor scale(Unknown::Tensor in) {
    auto out = Unknown::empty_like(in);
    const int rows = in.size(0);
    const int size = in.size(1);
    switch (size) {
        case 64: launch<64>(out, in, rows); break;
        case 128: launch<128>(out, in, rows); break;
    }
    return out;
}
