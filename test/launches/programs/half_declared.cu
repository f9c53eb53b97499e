// A specialisation of a member template names std::string, so that it is declared as soon as a member of the class names it: then the class is
// not declared to its end, and is not laid out for it.
//> k grid (1,1,1) block (96,1,1) x1 args 0 path 24
#include <map>
#include <string>
__global__ void k(int n) {}

class Options {
  public:
    template <typename T> static bool read(const std::string& text, T& value);
    static void init();
    static Options* self;
    typedef std::map<std::string, int> Known;
    Known known;
};
template <> inline bool Options::read<int>(const std::string& text, int& value) { return true; }
template <> inline bool Options::read<std::string>(const std::string& text, std::string& value) { return true; }
Options* Options::self;
void Options::init() { self = new Options(); }

int main() {
    Options::init();
    Options* options = Options::self;
    k<<<1, options->known.size() == 0 ? 96 : 32>>>(options->known.size());
}
