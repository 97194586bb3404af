# Sourced by ./waymark and bench/run: finds a JDK, builds what is stale, starts a main class.
# The caller sets ROOT to the checkout. Kept to what bash 3.2 knows, which is what macOS ships.

OLDEST_JAVA=21

# The feature release of the JDK in $1 (21, 25, ...), or 0 if there is none.
java_release_of() {
  local version=""
  if [[ -x "$1/bin/java" ]]; then
    if [[ -r "$1/release" ]]; then
      version="$(sed -n 's/^JAVA_VERSION="\([^"]*\)".*/\1/p' "$1/release")"
    fi
    if [[ -z "$version" ]]; then
      version="$("$1/bin/java" -version 2>&1 | sed -n 's/.*version "\([^"]*\)".*/\1/p')" || version=""
    fi
  fi
  version="${version#1.}"
  version="${version%%[!0-9]*}"
  echo "${version:-0}"
}

# Sets JDK to the folder to run on. A JAVA_HOME that is new enough is the user's choice and wins;
# otherwise the newest of all that are found.
find_jdk() {
  local newest=0 release home on_path
  JDK=""
  if [[ -n "${JAVA_HOME:-}" ]]; then
    release="$(java_release_of "$JAVA_HOME")"
    if ((release >= OLDEST_JAVA)); then
      JDK="$JAVA_HOME"
      return
    fi
  fi
  on_path="$(command -v java || true)"
  if [[ -n "$on_path" ]]; then
    on_path="$(readlink -f "$on_path" 2>/dev/null || echo "$on_path")"
    on_path="${on_path%/bin/java}"
  fi
  for home in "$on_path" \
    /usr/lib/jvm/* \
    "$HOME"/.sdkman/candidates/java/* \
    /Library/Java/JavaVirtualMachines/*/Contents/Home \
    /opt/*jdk*; do
    [[ -n "$home" && -x "$home/bin/java" ]] || continue
    release="$(java_release_of "$home")"
    if ((release >= OLDEST_JAVA && release > newest)); then
      newest="$release"
      JDK="$home"
    fi
  done
  if [[ -z "$JDK" ]]; then
    cat >&2 <<MESSAGE
Waymark needs Java $OLDEST_JAVA or newer, and none was found. Looked at:
  JAVA_HOME (${JAVA_HOME:-not set})
  java on the PATH (${on_path:-none})
  /usr/lib/jvm/*
  ~/.sdkman/candidates/java/*
  /Library/Java/JavaVirtualMachines/*/Contents/Home
  /opt/*jdk*
Install a JDK, or set JAVA_HOME to one.
MESSAGE
    exit 1
  fi
}

# True if module $1 was never built, was built elsewhere, or has a source newer than its build.
is_stale() {
  local stamp="$ROOT/$1/target/quick/classpath"
  [[ -f "$stamp" ]] || return 0
  # The stamp holds absolute paths: a checkout that was moved must be built anew.
  grep -qF "$ROOT/" "$stamp" || return 0
  # Folders count as well as files, since deleting a file touches its folder.
  [[ -n "$(find "$ROOT"/pom.xml "$ROOT"/*/pom.xml "$ROOT"/*/src/main -newer "$stamp" -print -quit)" ]]
}

build_if_stale() {
  is_stale "$1" || return 0
  if ! command -v mvn >/dev/null; then
    echo "Waymark must be built first, and that needs Maven (mvn) on the PATH." >&2
    exit 1
  fi
  echo "building…" >&2
  # Maven keeps the Java it has, since an old Maven complains on a new one; the pom picks the JDK.
  if [[ -z "${JAVA_HOME:-}" ]] && ! command -v java >/dev/null; then
    export JAVA_HOME="$JDK"
  fi
  local output
  if ! output="$(mvn -q -B -ntp -Dquick -f "$ROOT/pom.xml" -pl "$1" -am process-classes 2>&1)"; then
    printf '%s\n' "$output" "The build failed; see above." >&2
    exit 1
  fi
  # Maven leaves a class path that did not change as it is, and so as old as it was.
  touch "$ROOT/$1/target/quick/classpath"
}

# run_main MODULE CLASS [ARGUMENT...]: the caller's working directory is kept.
run_main() {
  local module="$1" class="$2"
  shift 2
  find_jdk
  build_if_stale "$module"
  exec "$JDK/bin/java" --enable-native-access=ALL-UNNAMED \
    -cp "$ROOT/$module/target/quick/classes:$(cat "$ROOT/$module/target/quick/classpath")" \
    "$class" "$@"
}
