#!/usr/bin/env bash
# The workflow in docs/checking.md: its structure, and its commands that need no network, in a clean
# folder with a small project, one with a race and one without.
. tests/tools/hopper.sh
page=docs/checking.md
workflow=$scratch/workflow.yml
sed -n '/^<!-- workflow:/,/^```$/p' "$page" | sed '1,/^```yaml$/d;/^```$/d' >"$workflow"

# Prints the commands of the step with this name: `run: COMMAND`, or the block of `run: |`.
commands_of() # NAME
{
    awk -v name="$1" '
        /^      - / { inside = ($0 == "      - name: " name) }
        /^        [a-z]/ { running = 0 }
        inside && /^        run: \|$/ { running = 1; next }
        inside && /^        run: / { sub(/^        run: /, ""); print; next }
        inside && running { print substr($0, 11) }' "$workflow"
}

has() # LINE
{
    grep -qxF -- "$1" "$workflow" || fail "the workflow has no line '$1'"
}

has "      contents: read"
has "      security-events: write"
has "        uses: github/codeql-action/upload-sarif@v3"
has "          sarif_file: findings.sarif"
[ "$(grep -c ' run:' "$workflow")" -eq 3 ] || fail "expected three steps with commands: $(cat "$workflow")"

# Each package that ./dev would install for a build is installed.
commands_of "Install simsm" >"$scratch/install"
for package in $(sed -n '/^missing_packages()/,/^}/s/.*|| echo \(lib[a-z0-9-]*-dev\|nettle-dev\)$/\1/p' dev); do
    case $package in libpng-dev | libsdl2-dev | libcmocka-dev) continue ;; esac
    grep -qw -- "$package" "$scratch/install" || fail "the workflow does not install $package"
done
bash -n "$scratch/install" || fail "the commands that install simsm are no shell"

# The shell of GitHub's steps, in a project of one file.
mkdir "$scratch/bin" "$scratch/project"
ln -s "$SIMSM" "$scratch/bin/simsm"
printf '#!/bin/sh\nLD_PRELOAD= exec "%s" "$@"\n' "$nvcc" >"$scratch/bin/nvcc"
chmod +x "$scratch/bin/nvcc"
step() # NAME
{
    commands_of "$1" >"$scratch/step"
    [ -s "$scratch/step" ] || fail "the workflow has no commands '$1'"
    (cd "$scratch/project" && PATH=$scratch/bin:$PATH bash -e "$scratch/step") \
        >"$scratch/out" 2>"$scratch/err"
}

project() # INDEX
{
    cat >"$scratch/project/app.cu" <<CODE
__global__ void kernel(int *p) { p[$1] = threadIdx.x; }
int main()
{
    int *p;
    cudaMalloc(&p, 4096);
    kernel<<<1, 64>>>(p);
    return cudaDeviceSynchronize() + cudaFree(p);
}
CODE
    rm -f "$scratch/project"/findings.*
    step Build || fail "Build: $(cat "$scratch/err")"
}

project threadIdx.x
step Check || fail "a program without mistakes fails: $(cat "$scratch/err")"
project threadIdx.x/2
! step Check || fail "a race does not let the step fail"
grep -q '"uri": "app.cu"' "$scratch/project/findings.sarif" || fail "SARIF: no path that the host knows"
grep -q '<failure' "$scratch/project/findings.xml" || fail "JUnit: no failure"
