// What the programs of this folder share: a table of cases, and main(). A program is run as
//
//     PROGRAM CASE      runs a case
//     PROGRAM --list    a line for each case: name, verdict, class, description, lines of the fault
//                       (separated by blanks), separated by tabs
//
// A case is written as its kernels, followed by CASE(name, verdict, class, description) { ... }
// with what the host does. Source lines at fault end with a comment, `// FAULT`: a tool should name
// one of them. They belong to the next CASE, or to the CASE whose body they are in. A faulty case
// without such lines has those of the case before it, whose kernel it shares.
//
// Verdicts: FAULTY; CORRECT, a case that looks like a fault and is none; BENIGN, a race whose
// result does not depend on who comes first, such as several threads that write the same value. The
// class is the class of the fault, or of the fault that a correct case resembles: memory, race,
// sync, init, leak, api.
//
// Correct and benign cases check their results. Exit status: 0, or 1 if a correct case has a wrong
// result or an error, or 2 if there is no such case.
#ifndef CUDA_CHECK_CHECK_CASE_H
#define CUDA_CHECK_CHECK_CASE_H

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include <cuda_runtime.h>

enum verdict { FAULTY, CORRECT, BENIGN };

struct check_case {
    const char *name;
    verdict is;
    const char *class_name, *description;
    void (*run)();
};

inline std::vector<check_case> &check_cases()
{
    static std::vector<check_case> cases;
    return cases;
}

struct check_case_entry {
    explicit check_case_entry(const check_case &entry)
    {
        check_cases().push_back(entry);
    }
};

#define CASE(name, verdict, class_name, description)                                               \
    static void case_##name();                                                                     \
    static const check_case_entry entry_##name(                                                    \
        {#name, verdict, class_name, description, case_##name});                                   \
    static void case_##name()

// The program's own source, in which --list finds the lines at fault.
#ifndef __CUDA_ARCH__
extern "C" const char check_source[];
__asm__(".pushsection .rodata\n.global check_source\ncheck_source:\n"
        ".incbin \"" CHECK_SOURCE "\"\n.byte 0\n.popsection\n");
#endif

inline bool check_failed = false;

/// Records that a correct case has failed, unless `right`.
inline void expect(bool right, const char *what)
{
    if (!right) {
        printf("FAIL %s\n", what);
        check_failed = true;
    }
}

/// A call of the API that has to succeed.
#define MUST(call) must(call, #call)
inline void must(cudaError_t status, const char *call)
{
    if (status != cudaSuccess) {
        printf("FAIL %s: %s\n", call, cudaGetErrorString(status));
        check_failed = true;
    }
}

/// An array in device memory that its owner frees.
template <typename T> struct device_array {
    T *data = nullptr;
    size_t count;

    /// Nothing is written.
    explicit device_array(size_t n) : count(n)
    {
        MUST(cudaMalloc(&data, n * sizeof(T)));
    }

    explicit device_array(const std::vector<T> &values) : device_array(values.size())
    {
        MUST(cudaMemcpy(data, values.data(), count * sizeof(T), cudaMemcpyHostToDevice));
    }

    device_array(size_t n, T value) : device_array(std::vector<T>(n, value))
    {
    }

    device_array(const device_array &) = delete;
    device_array &operator=(const device_array &) = delete;

    ~device_array()
    {
        cudaFree(data);
    }

    operator T *() const
    {
        return data;
    }

    /// Returns a copy of the elements, after all work before.
    std::vector<T> host() const
    {
        std::vector<T> values(count);
        cudaMemcpy(values.data(), data, count * sizeof(T), cudaMemcpyDeviceToHost);
        return values;
    }
};

/// Returns 0, 1, 2 ...
inline std::vector<int> numbers(int n)
{
    std::vector<int> values;
    for (int i = 0; i < n; i++)
        values.push_back(i);
    return values;
}

/// Returns whether each element i of `values` is `of(i)`.
template <typename T, typename Of> bool all(const std::vector<T> &values, Of of)
{
    for (size_t i = 0; i < values.size(); i++)
        if (values[i] != (T)of((int)i))
            return false;
    return true;
}

#ifndef __CUDA_ARCH__
/// Returns the lines of the case `name` that end with `// FAULT`, separated by blanks.
inline std::string check_fault_lines(const char *name)
{
    const std::string head = std::string("CASE(") + name + ",", mark = "// FAULT";
    std::string lines, before;
    bool in_case = false, found = false;
    int number = 1;
    for (const char *line = check_source; *line; number++) {
        const std::string text(line, strcspn(line, "\n"));
        in_case |= !text.compare(0, 5, "CASE(");
        found |= !text.compare(0, head.size(), head);
        if (text.size() > mark.size() &&
            !text.compare(text.size() - mark.size(), mark.size(), mark))
            lines += (lines.empty() ? "" : " ") + std::to_string(number);
        if (text == "}" && found)
            return lines.empty() ? before : lines;
        if (text == "}" && in_case) {
            before = lines.empty() ? before : lines;
            lines.clear();
            in_case = false;
        }
        line += text.size() + (line[text.size()] == '\n');
    }
    return "";
}

int main(int argc, char **argv)
{
    static const char *const verdicts[] = {"faulty", "correct", "benign"};
    if (argc == 2 && !strcmp(argv[1], "--list")) {
        for (const check_case &c : check_cases())
            printf("%s\t%s\t%s\t%s\t%s\n", c.name, verdicts[c.is], c.class_name, c.description,
                   (c.is == FAULTY ? check_fault_lines(c.name) : "").c_str());
        return 0;
    }
    for (const check_case &c : check_cases()) {
        if (argc != 2 || strcmp(argv[1], c.name))
            continue;
        c.run();
        const cudaError_t status = cudaDeviceSynchronize();
        if (c.is == FAULTY) {
            printf("RAN %s: %s\n", c.name, cudaGetErrorString(status));
            return 0;
        }
        must(status, "the case");
        must(cudaGetLastError(), "the case");
        printf("%s %s\n", check_failed ? "FAIL" : "PASS", c.name);
        return check_failed;
    }
    fprintf(stderr, "usage: %s CASE, or %s --list\n", argv[0], argv[0]);
    return 2;
}
#endif

#endif
