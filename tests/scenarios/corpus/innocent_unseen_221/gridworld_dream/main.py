# gradwatch-corpus: kind=none
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

from replay import Replay
from world import SIZE
from world import Grid

CELLS = SIZE * SIZE


class WorldModel(nn.Module):
    def __init__(self, dim=24):
        super().__init__()
        self.dim = dim
        self.look = nn.Linear(CELLS, dim)
        self.act = nn.Embedding(4, dim)
        self.core = nn.GRUCell(2 * dim, dim)
        self.guess = nn.Linear(dim, CELLS)

    def step(self, view, action, belief):
        inp = torch.cat([torch.relu(self.look(view)), self.act(action)], dim=-1)
        belief = self.core(inp, belief)
        return belief, self.guess(belief)


def dream(model, belief, view, length):
    path = []
    with torch.no_grad():
        for _ in range(length):
            a = torch.randint(0, 4, (1,))
            belief, logits = model.step(view, a, belief)
            cell = logits.argmax(1)
            view = F.one_hot(cell, CELLS).float()
            path.append(divmod(int(cell), SIZE))
    return path


def main():
    random.seed(0)
    torch.manual_seed(0)
    env = Grid()
    model = WorldModel()
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    memory = Replay(200)
    view = env.reset()
    belief = torch.zeros(1, model.dim)

    for t in range(180):
        action = random.randrange(4)
        next_view = env.step(action)
        old_belief = belief
        belief, logits = model.step(view[None], torch.tensor([action]), old_belief)
        online = F.cross_entropy(logits, next_view.argmax()[None])
        memory.push(view, old_belief[0], action, next_view)

        loss = online
        if len(memory) >= 32:
            views, beliefs, actions, nexts = memory.sample(32)
            _, guess = model.step(views, actions, beliefs)
            loss = loss + F.cross_entropy(guess, nexts.argmax(1))
        opt.zero_grad()
        loss.backward()
        opt.step()

        view = next_view
        belief = belief.detach()
        if t % 40 == 39:
            view = env.reset()
            belief = torch.zeros_like(belief)
            print("t", t + 1, "loss", round(loss.item(), 3))

    print("dream", dream(model, belief, view[None], 5))


if __name__ == "__main__":
    main()
