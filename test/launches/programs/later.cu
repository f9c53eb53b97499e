// A std::function holds a closure, which is called later; another sits in a struct.
//> a grid (5,1,1) block (96,1,1) x1 args 2 path 9 11
//> a grid (5,1,1) block (64,1,1) x1 args 7 path 14 16
__global__ void a(int n) {}
struct Task { std::function<void(int)> run; };

int main() {
    int threads = 96;
    std::function<void(int)> later = [=](int n) { a<<<5, threads>>>(n); };
    threads = 64;
    later(2);

    Task task;
    task.run = [&](int n) { a<<<5, threads>>>(n); };

    task.run(7);
}
