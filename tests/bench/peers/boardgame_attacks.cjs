// Attacks a second of boardgame.io's headless client: `node boardgame_attacks.cjs ATTACKS BOARD` in a folder that has it.
//
// BOARD is JSON: territory -> neighbours. Six players own it in turn. Each turn is one attack: the move checks owner and
// border, throws three dice a side by the framework's own random plugin and moves the territory; the turn then ends by its
// maximum of moves, and the end of the game is tested. Targets are chosen outside the clock. Prints one number.
const { Client } = require('boardgame.io/client');
const { INVALID_MOVE } = require('boardgame.io/core');

const attacks = Number(process.argv[2]);
const near = JSON.parse(process.argv[3]);
const SEATS = 6;
const A_GAME = 250; // about what a game of Exgenhoca Wars has

const sum = (dice) => dice.reduce((total, face) => total + face, 0);
const borders = (owner, seat, target) => near[target].some((place) => owner[place] === seat);

const game = (seed) => ({
  name: 'attacks',
  seed,
  setup: () => ({ owner: near.map((_, place) => place % SEATS) }),
  moves: {
    attack: ({ G, ctx, random }, target) => {
      const seat = Number(ctx.currentPlayer);
      if (G.owner[target] === seat || !borders(G.owner, seat, target)) return INVALID_MOVE;
      if (sum(random.D6(3)) > sum(random.D6(3))) G.owner[target] = seat;
    },
  },
  turn: { minMoves: 1, maxMoves: 1 },
  endIf: ({ G }) => (G.owner.every((seat) => seat === G.owner[0]) ? { winner: G.owner[0] } : undefined),
});

let made = 0;
let spent = 0n;
let state = 1;
for (let number = 1; made < attacks; number += 1) {
  const client = Client({ game: game(String(number)), numPlayers: SEATS, debug: false });
  client.start();
  for (let turn = 0; turn < A_GAME; turn += 1) {
    const { G, ctx } = client.getState();
    const seat = Number(ctx.currentPlayer);
    const targets = near.map((_, place) => place).filter((place) => G.owner[place] !== seat && borders(G.owner, seat, place));
    if (ctx.gameover || !targets.length) break;
    state = (state * 48271) % 2147483647;
    const target = targets[state % targets.length];
    const started = process.hrtime.bigint();
    client.moves.attack(target);
    spent += process.hrtime.bigint() - started;
    if (client.getState().ctx.turn !== ctx.turn + 1 && !client.getState().ctx.gameover) throw new Error('an attack was refused');
    made += 1;
  }
  client.stop();
}
console.log(made / (Number(spent) / 1e9));
