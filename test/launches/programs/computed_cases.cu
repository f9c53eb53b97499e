// What a case or a comparison says of a variable that was computed of what is not known: of what was made of it as well.
//> rows<64> grid (?,1,1) block (64,1,1) x1 args 128, ? path 17 | host condition `columns / 4 <= 1024` taken both ways, host condition `threads` taken every way
//> rows<128> grid (?,1,1) block (128,1,1) x1 args 256, ? path 18 | host condition `columns / 4 <= 1024` taken both ways, host condition `threads` taken every way
//> rows<256> grid (?,1,1) block (256,1,1) x1 args 512, 1024 path 21 | host condition `columns / 4 <= 1024` taken both ways, host condition `columns` taken every way
//> rows<48> grid (?,1,1) block (48,1,1) x1 args 96, ? path 23 | host condition `columns / 4 <= 1024` taken both ways, host condition `twice == 96` taken both ways
struct Table;
int columnsOf(const Table* table);
template <int B> __global__ void rows(int n, int wide) {}

void dispatch(const Table* table, int count) {
    const int columns = columnsOf(table);
    if (columns / 4 <= 1024) {
        const int threads = columns / 4;
        const int twice = 2 * threads;
        dim3 block(threads);
        switch (threads) {
            case 64: rows<64><<<count, block>>>(twice, columns); break;
            case 128: rows<128><<<count, block>>>(twice, columns); break;
        }
        switch (columns) {
            case 1024: rows<256><<<count, block>>>(twice, columns); break;
        }
        if (twice == 96) rows<48><<<count, 48>>>(twice, threads);
    }
}
