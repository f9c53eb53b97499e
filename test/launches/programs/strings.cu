// std::string decides what runs: options with defaults, comparisons, pieces, sums and numbers.
//> meant grid (1,1,1) block (32,1,1) x1 args 1024 path 50 | argc = 1
//> meant grid (2,1,1) block (32,1,1) x1 args 2 path 53 | argc = 1
//> meant grid (3,1,1) block (32,1,1) x1 args 10 path 57
//> meant grid (6,1,1) block (32,1,1) x1 args 4 path 58
//> meant grid (16,1,1) block (32,1,1) x1 args 5 path 59
//> meant grid (4,1,1) block (32,1,1) x1 args 6 path 62
//> meant grid (5,1,1) block (32,1,1) x1 args 7 path 64
//> meant grid (6,1,1) block (32,1,1) x2 args 0 path 69
//> other grid (6,1,1) block (32,1,1) x1 args 0 path 68
//> meant grid (7,1,1) block (32,1,1) x1 args 8 path 71
//> meant grid (8,1,1) block (32,1,1) x1 args 9 path 76
//> meant grid (10,1,1) block (32,1,1) x1 args 11 path 79 | argc = 1
//> meant grid (11,1,1) block (32,1,1) x1 args 12 path 81 | argc = 1
//> meant grid (12,1,1) block (32,1,1) x1 args 13 path 83 | argc = 1
//> meant grid (13,1,1) block (32,1,1) x1 args 14 path 92
//> meant grid (14,1,1) block (32,1,1) x1 args 15 path 102
//> meant grid (9,1,1) block (32,1,1) x1 args 10 path 107 | host condition `line == "go"` taken both ways
#include <optional>
#include <string>
#include <vector>
#include <algorithm>
__global__ void meant(int n) {}
__global__ void other(int n) {}

struct Options { std::string kernel = "fast"; int n = 1024; bool verify = true; };

static Options parse(int argc, char** argv) {
    Options options;
    for (int i = 1; i < argc; ++i) {
        std::string argument = argv[i];
        if (argument == "--kernel") options.kernel = argv[++i];
        else if (argument.rfind("--n=", 0) == 0) options.n = std::stoi(argument.substr(4));
        else throw std::runtime_error("what is " + argument);
    }
    return options;
}

enum class Mode { Slow, Fast };
Mode modeOf(const std::string& name) { return name == "slow" ? Mode::Slow : Mode::Fast; }

std::optional<std::string> optionOf(int argc, char** argv, const std::string& name) {
    for (int i = 1; i + 1 < argc; i++) if (name == argv[i]) return argv[i + 1];
    return std::nullopt;
}

int main(int argc, char** argv) {
    Options options = parse(argc, argv);
    std::cout << "kernel " << options.kernel << std::endl;
    if (options.kernel == "fast" || options.kernel == "all") meant<<<1, 32>>>(options.n);
    if (options.kernel != "fast") other<<<1, 32>>>(options.n);
    std::string mode = argc > 1 ? argv[1] : "all";
    if (mode == "all" && !mode.empty() && mode.size() == 3 && mode[0] == 'a') meant<<<2, 32>>>(2);
    std::string name("tiled");
    name += "_" + std::to_string(16);
    name.append("x").push_back('8');
    if (name == "tiled_16x8" && name.compare("tiled_16x8") == 0) meant<<<3, 32>>>(name.length());
    if (name.find("16") != std::string::npos && name.find('q') == std::string::npos) meant<<<name.find("16"), 32>>>(4);
    if (name.substr(0, 5) == "tiled" && name.substr(9) == "8") meant<<<std::stoi(name.substr(6, 2)), 32>>>(5);
    std::string copy = name;
    copy[0] = 'T';
    if (copy == "Tiled_16x8" && name[0] == 't' && name < std::string("u") && copy < name) meant<<<4, 32>>>(6);
    for (auto& letter : copy) letter = toupper(letter);
    if (copy == "TILED_16X8") meant<<<5, 32>>>(7);
    std::vector<std::string> modes{"fast", "slow"};
    modes.push_back("fast");
    for (const auto& each : modes) switch (modeOf(each)) {
        case Mode::Slow: other<<<6, 32>>>(0); break;
        case Mode::Fast: meant<<<6, 32>>>(0); break;
    }
    if (std::find(modes.begin(), modes.end(), "slow") != modes.end()) meant<<<7, 32>>>(8);
    if (std::find(modes.begin(), modes.end(), "other") != modes.end()) other<<<7, 32>>>(8);
    auto endsWith = [](const std::string& text, const std::string& end) {
        return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
    };
    if (endsWith("matrix.mtx", ".mtx")) meant<<<8, 32>>>(9);
    const std::string fallback = "row";
    std::string layout = argc > 1 ? std::string(argv[1]) : fallback;
    if (layout == "row") meant<<<10, 32>>>(11);
    std::optional<std::string> given = optionOf(argc, argv, "--layout");
    if (!given && given.value_or("col") == "col") meant<<<11, 32>>>(12);
    std::vector<std::string> arguments(argv + 1, argv + argc);
    if (arguments.empty()) meant<<<12, 32>>>(13);
    std::vector<std::string> none(3);
    if (none[2] == "x") other<<<12, 32>>>(13);
    // Characters are written where they are, until the string is copied: neither string has what is written to the other.
    std::string cells(3000, '.');
    for (size_t i = 0; i < cells.size(); ++i) cells[i] = "ab"[i & 1];
    std::string kept = cells;
    cells[1] = 'x';
    kept[2] = 'y';
    if (cells.substr(0, 4) == "axab" && kept.substr(0, 4) == "abyb") meant<<<13, 32>>>(14);
    if (cells[2999] != 'b' || kept[1] != 'b') other<<<13, 32>>>(14);
    // Letters are appended where there is room, until the string is copied: then each appends its own.
    std::string letters;
    for (int i = 0; i < 3000; ++i) letters += "ACGT"[i & 3];
    std::string branch = letters;
    branch += 'x';
    letters += "yz";
    std::string twice = letters.substr(0, 3);
    twice += twice;
    if (branch.size() == 3001 && branch[3000] == 'x' && letters.substr(2998) == "GTyz") meant<<<14, 32>>>(15);
    if (letters[3000] != 'y' || branch.back() != 'x' || twice != "ACGACG") other<<<14, 32>>>(15);
    // What nobody knows is taken both ways.
    std::string line;
    std::getline(std::cin, line);
    if (line == "go") meant<<<9, 32>>>(10);
}
