# gradwatch-corpus: kind=none
"""World model over interleaved sessions; each resumes where it was left."""
import torch

from sessions import Sessions
from world import State, World


class Fitter:
    def __init__(self, world, sessions, lr=4e-3):
        self.world = world
        self.sessions = sessions
        self.opt = torch.optim.Adam(world.parameters(), lr=lr)
        self.window = []

    def fit(self, who, obs, act):
        state = self.sessions[who]
        self.window = []
        total = 0.0
        for o, a in zip(obs, act):
            state, nll = self.world(state, o, a)
            self.window.append(state)
            total = total + nll
        smooth = sum((b.fast - a.fast).square().mean() for a, b in zip(self.window, self.window[1:]))
        loss = (total + 0.05 * smooth) / len(obs)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.sessions[who] = self.window.pop()
        self.window.clear()
        return loss.item()


def record(sessions, length, obs, act):
    phase = {s: torch.rand(6, 1) * 6 for s in sessions}
    freq = torch.linspace(0.4, 1.6, obs)
    turn = 0
    while True:
        who = sessions[turn % len(sessions)]
        o, a = [], []
        for _ in range(length):
            u = torch.randn(6, act)
            phase[who] = phase[who] + 0.25 + 0.05 * u.sum(-1, keepdim=True)
            o.append(torch.sin(phase[who] * freq))
            a.append(u)
        yield who, o, a
        turn += 1 + (turn % 3 == 0)


def main():
    torch.manual_seed(77)
    world = World(obs=5, act=2, fast=20, slow=10)
    sessions = Sessions(lambda: State.start(6, 20, 10))
    fitter = Fitter(world, sessions)
    acc = []
    for k, (who, obs, act) in zip(range(90), record(list("abcd"), 5, 5, 2)):
        acc.append(fitter.fit(who, obs, act))
        if k % 18 == 17:
            print(f"{k + 1:3d} loss {sum(acc[-18:]) / 18:.4f} resumed {sessions.resumed}")


if __name__ == "__main__":
    main()
