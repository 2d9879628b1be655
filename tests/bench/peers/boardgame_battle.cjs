// Moves and shots a second of boardgame.io's headless client: `node boardgame_battle.cjs PARTS BATTLE` in a folder that has it.
//
// BATTLE is JSON: `classes` (move, shots, power, shield, base) and `craft` (side, class, at), the fleets of a battle on a grid
// of 13 columns and 9 rows. A turn is one displacement and one shot: the first checks side, life, line, reach and path, the
// second side, shots, line and range, finds the first craft on the line, and wears its shield; the shot ends the turn. The
// framework tests the end of the battle after each. Both are chosen at random, among those that are legal, outside the
// clock. Without mines, clocks, secrets and hangars. Prints one number.
const { Client } = require('boardgame.io/client');
const { INVALID_MOVE } = require('boardgame.io/core');

const parts = Number(process.argv[2]);
const { classes, craft } = JSON.parse(process.argv[3]);
const COLUMNS = 13;
const ROWS = 9;
const A_BATTLE = 250;
const STEPS = [-1, 0, 1].flatMap((x) => [-1, 0, 1].map((y) => [x, y])).filter(([x, y]) => x || y);

const sideOf = (ctx) => (ctx.currentPlayer === '0' ? 'D' : 'C');
const straight = (x, y) => x === 0 || y === 0 || Math.abs(x) === Math.abs(y);
const at = (G, x, y) => G.craft.findIndex((item) => item.alive && item.at[0] === x && item.at[1] === y);

function pathIsFree(G, from, to) {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const steps = Math.max(Math.abs(dx), Math.abs(dy));
  for (let step = 1; step <= steps; step += 1) {
    if (at(G, from[0] + Math.sign(dx) * step, from[1] + Math.sign(dy) * step) >= 0) return false;
  }
  return true;
}

function mayMove(G, side, id, to) {
  const item = G.craft[id];
  const [dx, dy] = [to[0] - item.at[0], to[1] - item.at[1]];
  const inside = to[0] >= 1 && to[0] <= COLUMNS && to[1] >= 1 && to[1] <= ROWS;
  const reach = Math.max(Math.abs(dx), Math.abs(dy));
  return !G.moved && item.side === side && item.alive && reach > 0 && inside && straight(dx, dy)
    && reach <= classes[item.class].move && pathIsFree(G, item.at, to);
}

const damageAt = (power, distance) => Math.floor((power * Math.max(0, 100 - 10 * (distance - 1))) / 100);

function mayFire(G, side, id, target) {
  const [item, other] = [G.craft[id], G.craft[target]];
  const [dx, dy] = [other.at[0] - item.at[0], other.at[1] - item.at[1]];
  return item.side === side && item.alive && item.shots > 0 && id !== target && other.alive && straight(dx, dy)
    && damageAt(classes[item.class].power, Math.max(Math.abs(dx), Math.abs(dy))) > 0;
}

function shoot(G, id, target) {
  const [item, other] = [G.craft[id], G.craft[target]];
  const [sx, sy] = [Math.sign(other.at[0] - item.at[0]), Math.sign(other.at[1] - item.at[1])];
  let distance = 1;
  while (at(G, item.at[0] + sx * distance, item.at[1] + sy * distance) < 0) distance += 1;
  const hit = G.craft[at(G, item.at[0] + sx * distance, item.at[1] + sy * distance)];
  item.shots -= 1;
  if (hit.damage > classes[hit.class].shield) hit.alive = false;
  else hit.damage += damageAt(classes[item.class].power, distance);
}

function winner(G) {
  for (const side of ['C', 'D']) {
    const living = G.craft.filter((item) => item.side === side && item.alive);
    const bases = living.filter((item) => classes[item.class].base);
    if (!bases.length || bases.length === living.length) return { winner: side === 'C' ? 'D' : 'C' };
  }
  return G.craft.some((item) => item.alive && item.shots) ? undefined : { draw: true };
}

const game = (seed) => ({
  name: 'battle',
  seed,
  setup: () => ({ moved: false, craft: craft.map((item) => ({ ...item, shots: classes[item.class].shots, damage: 0, alive: true })) }),
  moves: {
    displace: ({ G, ctx }, id, to) => {
      if (!mayMove(G, sideOf(ctx), id, to)) return INVALID_MOVE;
      G.craft[id].at = to;
      G.moved = true;
    },
    fire: ({ G, ctx, events }, id, target) => {
      if (!mayFire(G, sideOf(ctx), id, target)) return INVALID_MOVE;
      shoot(G, id, target);
      events.endTurn();
    },
  },
  turn: { onBegin: ({ G }) => { G.moved = false; } },
  endIf: ({ G }) => winner(G),
});

let state = 1;
const below = (count) => { state = (state * 48271) % 2147483647; return state % count; };

function displacements(G, id) {
  const item = G.craft[id];
  const found = [];
  for (const [x, y] of STEPS) {
    for (let step = 1; step <= classes[item.class].move; step += 1) found.push([item.at[0] + x * step, item.at[1] + y * step]);
  }
  return found.filter((to) => mayMove(G, item.side, id, to));
}

let made = 0;
let spent = 0n;
const timed = (act) => { const started = process.hrtime.bigint(); act(); spent += process.hrtime.bigint() - started; made += 1; };
for (let number = 1; made < parts; number += 1) {
  const client = Client({ game: game(String(number)), numPlayers: 2, debug: false });
  client.start();
  for (let part = 0; part < A_BATTLE; part += 1) {
    const { G, ctx } = client.getState();
    if (ctx.gameover) break;
    const side = sideOf(ctx);
    const own = G.craft.map((_, id) => id).filter((id) => G.craft[id].side === side && G.craft[id].alive);
    const id = own[below(own.length)];
    const ends = displacements(G, id);
    const targets = G.craft.map((_, target) => target).filter((target) => mayFire(G, side, id, target));
    if (ends.length) timed(() => client.moves.displace(id, ends[below(ends.length)]));
    else if (targets.length) timed(() => client.moves.fire(id, targets[below(targets.length)]));
    else client.events.endTurn();
    const after = client.getState();
    if (after.ctx.turn === ctx.turn && after.G.moved === G.moved && !after.ctx.gameover) throw new Error('a part was refused');
  }
  client.stop();
}
console.log(made / (Number(spent) / 1e9));
