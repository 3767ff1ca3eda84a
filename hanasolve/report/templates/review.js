"use strict";
// The review's page: draws timeline and board from the embedded data. Text from the game only ever goes into
// textContent. State: the turn whose board is shown (1 = before the first action) and the viewer (-1 = all open).
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const { review, board, names } = data;
  const turns = review.turns, states = board.states;
  const last = states.length; // the position after the last action
  const byId = (id) => document.getElementById(id);
  const masks = board.masks.map((hex) => BigInt("0x" + hex));
  const ranks = board.ranks.length;
  let turn = 1, viewer = -1, popCard = null;

  function node(tag, options = {}, ...children) {
    const made = document.createElement(tag);
    for (const [key, value] of Object.entries(options)) {
      if (key === "class") made.className = value;
      else if (key === "text") made.textContent = value;
      else if (value !== null && value !== undefined) made.setAttribute(key, value);
    }
    made.append(...children.filter((child) => child !== null && child !== undefined));
    return made;
  }
  function shape(tag, options = {}, text) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [key, value] of Object.entries(options)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    return made;
  }
  const inSet = (index, identity) => (masks[index] >> BigInt(identity) & 1n) === 1n;
  const suitOf = (identity) => Math.floor(identity / ranks);
  const nameOf = (identity) => board.suits[suitOf(identity)].letter + board.rankNames[identity % ranks];
  const faceOf = (identity) => "face-" + board.suits[suitOf(identity)].face;
  const members = (index) => board.copies.map((_, identity) => identity).filter((identity) => inSet(index, identity));
  const percent = (value) => value === null || value === undefined ? "–" : (100 * value).toFixed(value > 0 && value < 0.1 ? 1 : 0) + " %";
  const plural = (count, word) => count + " " + word + (count === 1 ? "" : "s");

  // ---------------------------------------------------------------------------------------------- cards

  function told(order, until) {
    return (board.marks[order] || []).filter((mark) => mark[0] < until);
  }

  function chips(order) {
    const row = node("span", { class: "told" });
    const seen = new Set();
    for (const [, name, isColor, face, touched] of told(order, turn)) {
      if (!touched || seen.has(name)) continue;
      seen.add(name);
      const chip = node("span", { text: isColor ? name[0].toUpperCase() : name });
      if (isColor) { chip.classList.add("face-" + face); chip.style.cssText = "background:var(--face);color:var(--facein)"; }
      row.append(chip);
    }
    return row;
  }

  function cardNode(order, seat, slot) {
    const state = states[turn - 1], identity = board.deck[order];
    const closed = seat === viewer || identity < 0;
    const looker = viewer < 0 ? seat : viewer;
    const set = state.knows[looker][seat][state.hands[seat].length && slot - 1];
    const possible = members(set);
    const card = node("button", { type: "button", class: "card", "data-order": order });
    let says;
    if (closed) {
      card.classList.add("closed");
      const suits = new Set(possible.map(suitOf)), numbers = new Set(possible.map((one) => one % ranks));
      if (suits.size === 1) card.classList.add("known-suit", faceOf(possible[0]));
      card.append(node("span", { class: "rank", text: numbers.size === 1 ? board.rankNames[[...numbers][0]] : "?" }));
      if (suits.size === 1) card.append(node("span", { class: "letter", text: board.suits[[...suits][0]].letter }));
      says = "hidden, can be " + possible.map(nameOf).join(" ");
    } else {
      card.classList.add(faceOf(identity));
      card.append(node("span", { class: "letter", text: board.suits[suitOf(identity)].letter }),
        node("span", { class: "rank", text: board.rankNames[identity % ranks] }));
      says = nameOf(identity) + ", " + statusOf(identity, state) + ", by clues " + possible.map(nameOf).join(" ");
    }
    card.append(chips(order));
    if (told(order, turn).some((mark) => mark[4])) card.classList.add("clued");
    const event = board.events[turn - 1];
    if (event && event.cards.includes(order)) {
      card.classList.add(event.kind === "clue" ? "touched" : "used", event.kind);
      card.append(node("span", { class: "tag", text: event.kind === "clue" ? event.name : event.kind === "play" ? (event.struck ? "misplay" : "play") : "discard" }));
    }
    card.setAttribute("aria-label", `${names[seat]}, slot ${slot}: ${says}`);
    card.addEventListener("pointerenter", () => openPop(card, order, seat, slot, set));
    card.addEventListener("focus", () => openPop(card, order, seat, slot, set));
    card.addEventListener("click", () => openPop(card, order, seat, slot, set));
    card.addEventListener("pointerleave", closePop);
    card.addEventListener("blur", closePop);
    return card;
  }

  function statusOf(identity, state) {
    if (inSet(state.playable, identity)) return "playable";
    if (!inSet(state.needed, identity)) return "trash";
    return inSet(state.critical, identity) ? "critical, last copy" : "not playable yet";
  }

  function openPop(card, order, seat, slot, set) {
    const pop = byId("pop"), state = states[turn - 1], identity = board.deck[order];
    const holder = names[seat];
    const who = viewer < 0 || viewer === seat ? `${holder} knows` : `${names[viewer]} knows that ${holder} can tell`;
    const grid = node("div", { class: "sets" });
    grid.style.gridTemplateColumns = `1rem repeat(${ranks}, 1.6rem)`;
    board.suits.forEach((suit, s) => {
      grid.append(node("b", { text: suit.letter }));
      for (let r = 0; r < ranks; r++) {
        const one = s * ranks + r, on = inSet(set, one);
        const cell = node("i", { class: on ? "face-" + suit.face : "out", text: on ? board.rankNames[r] : "·" });
        if (one === identity && seat !== viewer) cell.classList.add("real");
        grid.append(cell);
      }
    });
    const count = members(set).length;
    const hints = told(order, turn).map(([when, name, , , touched]) => `${touched ? "" : "not "}${name} (turn ${when})`);
    pop.replaceChildren(
      node("div", { class: "head", text: `${holder}, slot ${slot}${seat === viewer || identity < 0 ? "" : ": " + nameOf(identity) + ", " + statusOf(identity, state)}` }),
      node("div", { text: `What ${who}: ${count === 1 ? "it is " + nameOf(members(set)[0]) : plural(count, "possible card")}` }),
      grid, node("div", { class: "hints", text: hints.length ? hints.join(", ") : "no clue yet" }));
    popCard = card;
    card.setAttribute("aria-describedby", "pop");
    placePop();
  }
  function placePop() {
    if (!popCard) return;
    const pop = byId("pop");
    pop.hidden = false;
    const at = popCard.getBoundingClientRect(), box = pop.getBoundingClientRect();
    const left = Math.min(Math.max(6, at.left + at.width / 2 - box.width / 2), innerWidth - box.width - 6);
    const above = at.top - box.height - 8;
    pop.style.left = left + "px";
    pop.style.top = (above > 4 ? above : Math.min(at.bottom + 14, innerHeight - box.height - 4)) + "px";
  }
  function closePop() {
    popCard = null;
    byId("pop").hidden = true;
  }

  function mini(identity) {
    return node("span", { class: "card mini " + faceOf(identity), title: nameOf(identity) },
      node("span", {}, board.rankNames[identity % ranks], node("sub", { text: board.suits[suitOf(identity)].letter })));
  }

  // ---------------------------------------------------------------------------------------------- board

  function drawBoard() {
    const state = states[turn - 1];
    byId("where").textContent = turn < last ? `turn ${turn} of ${last - 1}` : "end of the game";
    byId("first").disabled = byId("back").disabled = turn === 1;
    byId("next").disabled = byId("last").disabled = turn === last;
    drawNow();
    const stacks = node("div", { class: "stacks" });
    state.stacks.forEach(([placed, top], s) => {
      const suit = board.suits[s];
      const card = node("span", { class: "card stack face-" + suit.face, title: `${suit.name}: ${placed} placed` },
        node("span", { class: "letter", text: suit.letter }), node("span", { class: "rank", text: placed ? board.rankNames[top % ranks] : "" }));
      if (!placed) card.classList.add("empty");
      if (placed === board.stackSize) card.classList.add("done");
      card.setAttribute("role", "img");
      card.setAttribute("aria-label", `${suit.name}: ${placed ? nameOf(top) : "empty"}`);
      stacks.append(card);
    });
    const count = (value, label) => node("div", { class: "count" }, node("b", { text: value }), node("span", { text: label }));
    const known = turn <= turns.length ? turns[turn - 1].max_before : turns.length ? turns[turns.length - 1].max_after : null;
    byId("status").replaceChildren(stacks, count(state.score, "score"), count(`${state.clues}/${board.cluesMax}`, "clues"),
      count(`${state.strikes}/${board.strikesMax}`, "strikes"),
      state.turnsLeft === null ? count(state.left, "deck") : count(state.turnsLeft, "turns left"),
      count(state.pace === null ? "–" : state.pace, "pace"), known === null ? null : count(known, "reachable"));
    byId("hands").replaceChildren(...state.hands.map((hand, seat) => {
      const row = node("div", { class: "hand", role: "group", "aria-label": `Hand of ${names[seat]}, newest card first` });
      if (seat === state.toMove && turn < last) row.classList.add("moves");
      const label = node("div", { class: "name", title: names[seat] }, names[seat]);
      if (seat === viewer) label.append(node("small", { text: "sees the others" }));
      row.append(label, node("div", { class: "cards" }, ...hand.map((order, index) => cardNode(order, seat, index + 1))));
      return row;
    }));
    const pile = node("div", { class: "row" }, node("span", { text: "Discarded" }));
    board.suits.forEach((_, s) => {
      const group = node("span", { class: "group" });
      for (let r = 0; r < ranks; r++)
        for (let k = 0; k < state.discarded[s * ranks + r]; k++) group.append(mini(s * ranks + r));
      if (group.childNodes.length) pile.append(group);
    });
    if (pile.childNodes.length === 1) pile.append(node("span", { text: "nothing" }));
    byId("pile").replaceChildren(pile);
    drawDetails();
  }

  function finalScore() {
    const word = review.score_word ? ` (${review.score_word})` : "";
    return `${review.score} of ${review.max_possible}${word}`;
  }

  function drawNow() {
    const now = byId("now"), one = turns[turn - 1], event = board.events[turn - 1];
    if (turn === last) { now.textContent = `The ${board.over ? "game is over" : "record ends here"}: ${finalScore()}.`; return; }
    const player = names[states[turn - 1].toMove];
    const text = one ? one.text : event.kind;
    now.replaceChildren(node("span", { class: "who", text: player + " " }), text + (event.struck ? " (misplay)" : ""));
    if (one && one.grade) now.append(" ", node("span", { class: "grade " + one.grade, text: one.grade }));
  }

  // -------------------------------------------------------------------------------------------- details

  function line(key, ...rest) {
    return node("p", {}, node("span", { class: "key", text: key + " " }), ...rest);
  }
  function link(text, url) {
    return url ? node("a", { href: url, text }) : text;
  }

  function drawDetails() {
    const one = turns[turn - 1], parts = [];
    if (one) {
      if (one.max_after < one.max_before) {
        const word = one.max_before === review.max_possible ? "lost the perfect score" : "the maximum fell";
        parts.push(line("Known deck:", node("span", { class: "fellword", text: `${word}, ${one.max_before} → ${most(one)}` }), one.why ? ": " + one.why : ""));
        if (one.fell_since) parts.push(node("p", { class: "quiet", text: `On which of the turns ${one.fell_since} to ${one.turn} it fell was not decided.` }));
      } else if (one.least_after < one.max_after) parts.push(line("Known deck:", `the maximum is ${most(one)}, not decided`));
      else parts.push(line("Known deck:", `the maximum stays ${one.max_after}`));
      parts.push(...better(one, "hindsight", "Would have kept it (hindsight):"));
      if (one.open_win_before !== null)
        parts.push(line(`Open hands, chance of ${one.open_target}:`, `${percent(one.open_win_before)} → ${percent(one.open_win_after)}`));
      if (one.estimate_before !== null) parts.push(...estimateLines(one));
      parts.push(...agreementLines());
    } else if (turn === last) parts.push(line("Score:", finalScore()));
    byId("details").replaceChildren(...parts);
  }

  function better(one, basis, title) {
    const moves = one.better.filter((move) => move.basis === basis);
    if (!moves.length) return [];
    const list = node("ul");
    for (const move of moves.slice(0, 6)) {
      const value = basis === "hindsight" ? "" : ` ${percent(move.win)}, ${move.score.toFixed(1)} points`;
      list.append(node("li", {}, move.text + value, move.line_url ? " " : "", move.line_url ? link("line", move.line_url) : ""));
    }
    if (basis === "hindsight" && one.undecided) list.append(node("li", { text: `${one.undecided} kinds not decided` }));
    if (moves.length > 6) list.append(node("li", { text: `${moves.length - 6} kinds more` }));
    return [node("p", { class: "key", text: title }), list];
  }

  function estimateLines(one) {
    const found = one.estimate, parts = [];
    const pm = (value, se) => `${percent(value)} ± ${percent(se)}`;
    parts.push(line(`Under ${review.convention}, as ${one.player} could know:`,
      `best move ${pm(found.win_best, found.se_win_best)}, this move ${pm(found.win_played, found.se_win_played)}`,
      found.verdict ? `; ${found.verdict}` : ""));
    if (one.max_after < one.max_before && one.knowable === false) parts.push(node("p", { class: "quiet", text: "The fall of the maximum did not lie in what the player could know." }));
    parts.push(...better(one, "knowable", "Better by what could be known:"));
    return parts;
  }

  function agreementLines() {
    if (!review.agreement) return [];
    const same = [], others = new Map();
    for (const convention of review.agreement.conventions) {
      const choice = convention.choices[turn - 1];
      if (!choice) continue;
      if (choice.verdict === "same") same.push(convention.name);
      else {
        const text = choice.text + (choice.verdict === "same cards" ? " (same cards)" : "");
        others.set(text, [...(others.get(text) || []), convention.name]);
      }
    }
    const parts = [];
    if (same.length) parts.push(line("Would have done the same:", same.join(", ")));
    if (others.size) parts.push(line("Others:", [...others].map(([text, who]) => `${who.join(", ")}: ${text}`).join("; ")));
    return parts;
  }

  // ------------------------------------------------------------------------------------------- timeline

  const SERIES = [
    ["max", "reachable maximum, deck known", "points"],
    ["points", "score", "points"],
    ["open", "chance with open hands", "chance"],
    ["estimate", `estimate under ${review.convention}`, "chance"],
  ];

  function series() {
    const done = turns.length;
    const chance = (before, after) => done ? [turns[0][before], ...turns.map((one) => one[after])] : [];
    return {
      max: done ? [turns[0].max_before, ...turns.map((one) => one.max_after)] : [],
      least: done ? [turns[0].max_before, ...turns.map((one) => one.least_after)] : [],
      points: states.map((state) => state.score),
      open: chance("open_win_before", "open_win_after"),
      estimate: chance("estimate_before", "estimate_after"),
    };
  }

  // What is proven of the maximum after a turn: one number, or both ends of a bracket.
  function most(one) {
    return one.least_after < one.max_after ? `${one.least_after}–${one.max_after}` : one.max_after;
  }

  // Value number i holds after i turns; turn i is the column from i - 1 to i, and its step lies in the middle.
  function path(values, x, y, stepped) {
    let d = "", pen = false;
    values.forEach((value, index) => {
      if (value === null || value === undefined) { pen = false; return; }
      const middle = x(Math.max(0, index - 0.5)).toFixed(1), py = y(value).toFixed(1);
      if (!pen) d += `M${middle} ${py}`;
      else d += stepped ? `H${middle}V${py}` : `L${middle} ${py}`;
      pen = true;
    });
    if (pen && stepped) d += `H${x(values.length - 1).toFixed(1)}`;
    return d;
  }

  function drawChart() {
    const host = byId("chart"), values = series();
    const chance = [...values.open, ...values.estimate].some((value) => value !== null && value !== undefined);
    const bracket = turns.some((one) => one.least_after < one.max_after);
    const width = Math.max(280, host.clientWidth), left = 40, right = 12, top = 14;
    const tall = 104, gap = 22, small = chance ? 74 : 0;
    const height = top + tall + (chance ? gap + small : 0) + 22;
    const count = last - 1;
    const x = (index) => left + (width - left - right) * index / Math.max(1, count);
    const y = (score) => top + tall - tall * score / review.max_possible;
    const y2 = (share) => top + tall + gap + small - small * share;
    const svg = shape("svg", { viewBox: `0 0 ${width} ${height}`, height, role: "img", tabindex: "-1",
      "aria-label": `Reachable maximum and score over ${count} turns; the list of moves has the numbers` });
    const unit = review.max_possible / 5;
    for (let step = 0; step <= 5; step++) {
      const score = Math.round(step * unit);
      svg.append(shape("line", { class: "grid", x1: left, x2: width - right, y1: y(score), y2: y(score) }),
        shape("text", { x: left - 6, y: y(score) + 4, "text-anchor": "end" }, score));
    }
    if (chance) for (const share of [0, 0.5, 1])
      svg.append(shape("line", { class: "grid", x1: left, x2: width - right, y1: y2(share), y2: y2(share) }),
        shape("text", { x: left - 6, y: y2(share) + 4, "text-anchor": "end" }, 100 * share + (share ? "%" : "")));
    const every = count > 40 && width > 600 ? 5 : count > 20 ? 10 : 5;
    for (let index = every; index <= count; index += every)
      svg.append(shape("text", { x: x(index - 0.5), y: height - 5, "text-anchor": "middle" }, index));
    // Where the maximum was not decided: the lower end of the bracket, and the ground between both ends.
    turns.forEach((one, index) => {
      if (one.least_after === one.max_after) return;
      const from = x(index + 0.5), to = x(Math.min(index + 1.5, count));
      const area = shape("rect", { class: "bracket", x: from, width: to - from, y: y(one.max_after), height: y(one.least_after) - y(one.max_after) });
      area.append(shape("title", {}, `turn ${one.turn}: maximum ${most(one)}, not decided`));
      svg.append(area);
    });
    if (bracket) svg.append(shape("path", { class: "least", d: path(values.least, x, y, true) }));
    for (const [name, , axis] of SERIES)
      svg.append(shape("path", { class: name, d: path(values[name], x, axis === "points" ? y : y2, axis === "points") }));
    turns.forEach((one, index) => {
      if (one.max_after < one.max_before) {
        const px = x(index + 0.5), py = y(one.max_after);
        const mark = shape("path", { class: "fell", d: `M${px - 6} ${py - 6}h12l-6 9z` });
        mark.append(shape("title", {}, `turn ${one.turn}: maximum ${one.max_before} to ${most(one)}`));
        svg.append(mark);
      }
      if (one.grade) {
        const sign = { inaccuracy: "?!", mistake: "?", blunder: "??" }[one.grade];
        const mark = shape("text", { class: "mark", x: x(index + 0.5), y: top + tall + 14, "text-anchor": "middle" }, sign);
        mark.append(shape("title", {}, `turn ${one.turn}: ${one.grade}`));
        svg.append(mark);
      }
    });
    svg.append(shape("rect", { class: "cursor", id: "cursor", y: top - 3, height: height - 17 - top, rx: 2 }),
      shape("text", { class: "cursor-tag", id: "cursor-tag", y: 8, "text-anchor": "middle" }));
    const choose = (event) => {
      const box = svg.getBoundingClientRect();
      const share = (event.clientX - box.left - left) / (box.width - left - right);
      go(1 + Math.floor(share * count));
    };
    svg.addEventListener("pointerdown", (event) => { svg.setPointerCapture(event.pointerId); choose(event); });
    svg.addEventListener("pointermove", (event) => { if (event.buttons) choose(event); });
    host.replaceChildren(svg);
    host.dataset.x = JSON.stringify([x(0), x(1) - x(0)]);
    const legend = byId("legend");
    legend.replaceChildren(...SERIES.filter(([name]) => values[name].some((v) => v !== null && v !== undefined)).map(([name, text]) => {
      const sample = shape("svg", { viewBox: "0 0 26 10", "aria-hidden": "true" });
      const stroke = shape("path", { d: "M1 5H25" });
      stroke.style.stroke = `var(--${name})`;
      if (name === "open") stroke.style.strokeDasharray = "6 3";
      sample.append(stroke);
      return node("span", {}, sample, text);
    }), node("span", { text: "▼ maximum fell" }), ...(bracket ? [node("span", { text: "▒ not decided between these" })] : []), ...(turns.some((one) => one.grade) ? [node("span", { text: "?! ? ?? graded move" })] : []));
    moveCursor();
  }

  function moveCursor() {
    const [first, step] = JSON.parse(byId("chart").dataset.x || "[0,0]"), cursor = byId("cursor");
    if (!cursor) return;
    const px = first + step * (turn - 1), width = turn < last ? Math.max(step, 4) : 4;
    cursor.setAttribute("x", px);
    cursor.setAttribute("width", width);
    byId("cursor-tag").setAttribute("x", px + width / 2);
    byId("cursor-tag").textContent = turn < last ? turn : "end";
  }

  // ----------------------------------------------------------------------------------------- navigation

  function go(wanted, seen = viewer) {
    turn = Math.min(Math.max(1, wanted), last);
    viewer = seen >= -1 && seen < names.length ? seen : -1;
    closePop();
    drawBoard();
    moveCursor();
    document.querySelectorAll("#moves tr.current").forEach((row) => { row.classList.remove("current"); row.removeAttribute("aria-current"); });
    const row = document.querySelector(`#moves tr[data-turn="${turn}"]`);
    if (row) {
      row.classList.add("current");
      row.setAttribute("aria-current", "step");
      const box = row.closest(".scroll");
      const above = row.offsetTop - box.scrollTop - 40, below = row.offsetTop + row.offsetHeight - box.scrollTop - box.clientHeight;
      if (above < 0) box.scrollTop += above; else if (below > 0) box.scrollTop += below;
    }
    const radio = document.querySelector(`#views input[value="${viewer}"]`);
    if (radio) radio.checked = true;
    const hash = `#turn=${turn}` + (viewer < 0 ? "" : `&view=${viewer + 1}`);
    if (location.hash !== hash) history.replaceState(null, "", hash);
  }

  function fromAddress() {
    const text = location.hash.slice(1), fields = new URLSearchParams(text);
    const wanted = Number.parseInt(fields.get("turn") || text, 10);
    const seen = Number.parseInt(fields.get("view") || "", 10);
    go(Number.isNaN(wanted) ? turn : wanted, fields.has("view") && !Number.isNaN(seen) ? seen - 1 : viewer);
  }

  function toMark(step) {
    const marked = turns.filter((one) => one.max_after < one.max_before || one.grade).map((one) => one.turn);
    const found = step > 0 ? marked.find((number) => number > turn) : marked.reverse().find((number) => number < turn);
    if (found) go(found);
  }

  function isDark() {
    const chosen = document.documentElement.dataset.theme;
    return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  }
  function nameTheme() { byId("theme").textContent = isDark() ? "Light" : "Dark"; }
  function turnTheme() { document.documentElement.dataset.theme = isDark() ? "light" : "dark"; nameTheme(); }

  const KEYS = {
    ArrowLeft: () => go(turn - 1), ArrowRight: () => go(turn + 1), Home: () => go(1), End: () => go(last),
    "[": () => toMark(-1), "]": () => toMark(1), "?": () => byId("help").showModal(), d: turnTheme,
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || byId("help").open) return;
    if (event.key === "Escape") { closePop(); return; }
    const digit = /^[0-9]$/.test(event.key) ? Number(event.key) : -1;
    const action = digit >= 0 ? (digit <= names.length ? () => go(turn, digit - 1) : null) : KEYS[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });

  const views = byId("views");
  [["All open", -1], ...names.map((name, seat) => [name, seat])].forEach(([name, seat]) => {
    const input = node("input", { type: "radio", name: "viewer", value: seat });
    input.addEventListener("change", () => go(turn, seat));
    views.append(node("label", { title: seat < 0 ? "All hands open (0)" : `As ${name} saw it (${seat + 1})` }, input, name));
  });
  byId("first").addEventListener("click", () => go(1));
  byId("back").addEventListener("click", () => go(turn - 1));
  byId("next").addEventListener("click", () => go(turn + 1));
  byId("last").addEventListener("click", () => go(last));
  byId("help-open").addEventListener("click", () => byId("help").showModal());
  byId("theme").addEventListener("click", turnTheme);
  document.querySelectorAll("#moves tbody tr").forEach((row) =>
    row.addEventListener("click", (event) => { event.preventDefault(); go(Number(row.dataset.turn)); }));
  addEventListener("hashchange", fromAddress);
  addEventListener("scroll", placePop, { passive: true });
  for (const id of ["timeline", "table", "theme", "help-open"]) byId(id).hidden = false;
  nameTheme();
  drawChart();
  new ResizeObserver(drawChart).observe(byId("chart"));
  fromAddress();
})();
