// C's texts decide what runs: literals, arrays of characters, comparisons, searches and numbers in texts.
//> meant grid (1,1,1) block (32,1,1) x1 args 1 path 21 | argc = 1
//> meant grid (2,1,1) block (32,1,1) x1 args 2 path 22 | argc = 1
//> meant grid (3,1,1) block (32,1,1) x1 args 3 path 25 | argc = 1
//> meant grid (4,1,1) block (32,1,1) x1 args 4 path 29
//> meant grid (5,1,1) block (32,1,1) x1 args 5 path 31
//> meant grid (6,1,1) block (32,1,1) x1 args 1 path 35
//> meant grid (7,1,1) block (32,1,1) x1 args 25 path 36
//> meant grid (8,1,1) block (32,1,1) x1 args 8 path 40 | no environment variable is set
//> meant grid (9,1,1) block (32,1,1) x1 args 9 path 43
//> meant grid (10,1,1) block (32,1,1) x1 args 10 path 47 | host condition `!strcmp(line, "go")` taken both ways
//> other grid (1,1,1) block (32,1,1) x1 args 1 path 21 | the command line is as the program asks for, host condition `strcmp(mode, "fast") == 0` taken both ways
//> other grid (2,1,1) block (32,1,1) x1 args 2 path 23 | the command line is as the program asks for, host condition `strncmp(mode, "far", 3) == 0` taken both ways
//> other grid (3,1,1) block (32,1,1) x1 args 3 path 26 | the command line is as the program asks for, host condition `mode[0]` taken every way
//> other grid (7,1,1) block (32,1,1) x1 args 7 path 38 | the command line is as the program asks for, only the first iteration of the loop `argv[i]` is known, host condition `!strcmp(argv[i], "--other")` taken both ways
__global__ void meant(int n) {}
__global__ void other(int n) {}

int main(int argc, char** argv) {
    const char* mode = argc > 1 ? argv[1] : "fast";
    if (strcmp(mode, "fast") == 0) meant<<<1, 32>>>(1); else other<<<1, 32>>>(1);
    if (!strncmp(mode, "far", 2)) meant<<<2, 32>>>(2);
    if (strncmp(mode, "far", 3) == 0) other<<<2, 32>>>(2);
    switch (mode[0]) {
        case 'f': meant<<<3, 32>>>(3); break;
        case 's': other<<<3, 32>>>(3); break;
    }
    char name[16] = "x\tz";
    if (strlen(name) == 3 && strcmp("\x41\102", "AB") == 0 && name[1] == '\t' && name[15] == 0) meant<<<4, 32>>>(4);
    char path[] = "dir/file.txt";
    if (sizeof(path) == 13 && strcmp(strrchr(path, '/') + 1, "file.txt") == 0) meant<<<5, 32>>>(5);
    path[0] = 'D';
    if (strstr(path, "dir") != nullptr) other<<<5, 32>>>(5);
    const char* names[] = {"slow", "fast"};
    for (int i = 0; i < 2; i++) if (!strcasecmp(names[i], "FAST")) meant<<<6, 32>>>(i);
    meant<<<atoi("7"), strtol("0x20", nullptr, 16)>>>(int(atof("2.5e1")));
    // Nothing on the command line, and nothing in the environment.
    for (int i = 0; argv[i]; i++) if (!strcmp(argv[i], "--other")) other<<<7, 32>>>(7);
    const char* blocks = getenv("BLOCKS");
    meant<<<blocks ? atoi(blocks) : 8, 32>>>(8);
    // The same characters, whoever is shown them.
    log_of_another_file(mode);
    if (!strcmp("fast", "fast")) meant<<<9, 32>>>(9);
    // What nobody knows is taken both ways.
    char line[64];
    fgets(line, 64, stdin);
    if (!strcmp(line, "go")) meant<<<10, 32>>>(10);
}
