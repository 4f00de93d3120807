/**
 * Completion of the tools' commands in shells, made from the tables by which the commands parse and help. A script has all names in it, so
 * that completing starts no Node.
 */
import type { Command } from "./command-line.ts";

export const shells = ["bash", "zsh", "fish"] as const;
type Shell = (typeof shells)[number];

type Completed = Required<Pick<Command, "options" | "actions">> & { name: string; summary: string };

/** A place where options may come: a command, or a command of it. */
type OptionPlace = { command: string; action: string; names: readonly string[]; actions: readonly string[] };

/** The script that a shell reads once. @param tool the name of the installed command */
export function completionOf(shell: Shell, tool: string, commands: readonly Completed[]): string {
  const all = [...commands, helpItself(commands), itself];
  return { bash, zsh, fish }[shell](tool, all);
}

const itself: Completed = {
  name: "completion",
  summary: "Print completion for a shell.",
  options: {},
  actions: Object.fromEntries(shells.map((shell) => [shell, []])),
};

const helpItself = (commands: readonly Completed[]): Completed => ({
  name: "help",
  summary: "Show help.",
  options: {},
  actions: Object.fromEntries(commands.map(({ name }) => [name, []])),
});

function placesOf({ name, options, actions }: Completed): OptionPlace[] {
  const names = Object.keys(actions);
  if (names.length === 0) return [{ command: name, action: "", names: [...Object.keys(options), "help"], actions: [] }];
  const own = Object.entries(actions).map(([action, of]) => ({
    ...{ command: name, action, actions: [] },
    names: [...of, "help"],
  }));
  return [{ command: name, action: "", names: ["help"], actions: names }, ...own];
}

/** The options of a command by what may follow them: some words, a file, or anything. Flags are in none. */
function valuesOf({ name, options }: Completed) {
  const taking = Object.entries(options).filter(([, { type }]) => type === "string");
  const form = ([option]: (typeof taking)[number]) => `${name}:--${option}`;
  return {
    words: taking.flatMap(([option, { oneOf }]) => (oneOf ? [{ form: `${name}:--${option}`, oneOf }] : [])),
    files: taking.filter(([, { value }]) => value === "FILE").map(form),
    anything: taking.filter(([, { value, oneOf }]) => value !== "FILE" && !oneOf).map(form),
  };
}

const functionName = (tool: string) => `_${tool.replaceAll(/\W/g, "_")}`;
const wordsIn = (place: OptionPlace) => [...place.actions, ...place.names.map((name) => `--${name}`)].join(" ");

function bash(tool: string, commands: readonly Completed[]): string {
  const values = commands.map(valuesOf);
  const reply = (how: string) => `COMPREPLY=($(compgen ${how} -- "$cur")); return ;;`;
  const cases = [
    ...values.flatMap(({ words }) =>
      words.map(({ form, oneOf }) => `    ${form}) ${reply(`-W "${oneOf.join(" ")}"`)}`),
    ),
    ...values.flatMap(({ files }) => files.map((form) => `    ${form}) ${reply("-f")}`)),
    ...values.flatMap(({ anything }) => anything.map((form) => `    ${form}) return ;;`)),
  ];
  const places = commands.flatMap(placesOf);
  return `# Completion of ${tool} for bash. Put this into ~/.bashrc: source <(${tool} completion bash)
${functionName(tool)}() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command=\${COMP_WORDS[1]} action= words=
  COMPREPLY=()
  # bash takes the = of --option=value for a word.
  if [[ $cur == = ]]; then cur=; elif [[ $prev == = ]]; then prev=\${COMP_WORDS[COMP_CWORD-2]}; fi
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(" ")} --help --version" -- "$cur"))
    return
  fi
  case $command:$prev in
${cases.join("\n")}
  esac
  if ((COMP_CWORD > 2)); then action=\${COMP_WORDS[2]}; fi
  case $command:$action in
${places.map((place) => `    ${place.command}:${place.action === "" && place.actions.length === 0 ? "*" : place.action}) words="${wordsIn(place)}" ;;`).join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -F ${functionName(tool)} ${tool}`;
}

/** The first sentence, for a list of choices. */
const briefly = (help: string) => /^.*?[.:](?= |$)/.exec(help)?.[0].slice(0, -1) ?? help;
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const described = (word: string, help: string) => quoted(`${word.replaceAll(":", "\\:")}:${briefly(help)}`);

function helpIn(commands: readonly Completed[], { command }: OptionPlace, option: string): string {
  return commands.find(({ name }) => name === command)?.options[option]?.help ?? "Show help.";
}

function zsh(tool: string, commands: readonly Completed[]): string {
  const values = commands.map(valuesOf);
  const cases = [
    ...values.flatMap(({ words }) =>
      words.map(({ form, oneOf }) => `    ${form}) compadd -- ${oneOf.join(" ")}; return ;;`),
    ),
    ...values.flatMap(({ files }) => files.map((form) => `    ${form}) _files; return ;;`)),
    ...values.flatMap(({ anything }) => anything.map((form) => `    ${form}) return ;;`)),
  ];
  const candidates = (place: OptionPlace) =>
    [
      ...place.actions.map((action) => quoted(action)),
      ...place.names.map((name) => described(`--${name}`, helpIn(commands, place, name))),
    ].join(" ");
  const places = commands.flatMap(placesOf);
  const name = functionName(tool);
  return `#compdef ${tool}
# Completion of ${tool} for zsh. Put this into ~/.zshrc, after compinit: source <(${tool} completion zsh)
${name}() {
  local -a candidates
  local command=\${words[2]} action= previous=\${words[CURRENT-1]}
  if ((CURRENT == 2)); then
    candidates=(${commands.map((each) => described(each.name, each.summary)).join(" ")} ${described("--help", "Show help.")} ${described("--version", "Show the version.")})
    _describe command candidates
    return
  fi
  case $command:$previous in
${cases.join("\n")}
  esac
  if ((CURRENT > 3)); then action=\${words[3]}; fi
  case $command:$action in
${places.map((place) => `    ${place.command}:${place.action === "" && place.actions.length === 0 ? "*" : place.action}) candidates=(${candidates(place)}) ;;`).join("\n")}
  esac
  _describe argument candidates
}
if [[ $funcstack[1] == ${name} ]]; then ${name} "$@"; else compdef ${name} ${tool}; fi`;
}

function fish(tool: string, commands: readonly Completed[]): string {
  const add = (when: string, what: string) => `complete -c ${tool} -n ${quoted(when)} ${what}`;
  const lines = commands.map(({ name, summary }) =>
    add("__fish_use_subcommand", `-f -a ${name} -d ${quoted(briefly(summary))}`),
  );
  for (const command of commands)
    for (const place of placesOf(command)) {
      const inCommand = `__fish_seen_subcommand_from ${place.command}`;
      const own = Object.keys(command.actions).join(" ");
      const when =
        place.action === "" && own !== ""
          ? `${inCommand}; and not __fish_seen_subcommand_from ${own}`
          : place.action === ""
            ? inCommand
            : `${inCommand}; and __fish_seen_subcommand_from ${place.action}`;
      if (place.actions.length > 0) lines.push(add(when, `-f -a ${quoted(place.actions.join(" "))}`));
      for (const name of place.names) {
        const option = command.options[name];
        const value =
          option?.type !== "string"
            ? "-f"
            : option.oneOf
              ? `-x -a ${quoted(option.oneOf.join(" "))}`
              : option.value === "FILE"
                ? "-r -F"
                : "-x";
        lines.push(add(when, `-l ${name} ${value} -d ${quoted(briefly(option?.help ?? "Show help."))}`));
      }
    }
  lines.push(add("__fish_use_subcommand", "-f -l version -d 'Show the version'"));
  return `# Completion of ${tool} for fish. Put it into a file: ${tool} completion fish > ~/.config/fish/completions/${tool}.fish
complete -c ${tool} -f
${lines.join("\n")}`;
}
