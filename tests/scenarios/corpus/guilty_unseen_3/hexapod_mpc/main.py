# gradwatch-corpus: kind=graph-unused
# first-bad: 0
"""Hexapod gait: a dynamics model is learned online while a cross-entropy planner uses it to choose the actions."""
import torch

from dynamics import Body, Ensemble
from planner import CemPlanner


def main(ticks=220):
    torch.manual_seed(15)
    body, model = Body(), Ensemble(members=2)
    planner = CemPlanner(model, horizon=4, pool=24, elite=6, rounds=2)
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    s, memory, travelled = body.reset(), [], 0.0
    for tick in range(ticks):
        a = planner.choose(s)
        nxt, gain = body.step(a)
        memory = (memory + [(s, a, nxt)])[-200:]
        travelled += gain
        s = nxt
        pick = torch.randint(0, len(memory), (16,)).tolist()
        ss, aa, nn_ = (torch.stack(col) for col in zip(*(memory[i] for i in pick)))
        fit = model.fit_error(ss, aa, nn_)
        opt.zero_grad()
        fit.backward()
        opt.step()
        if tick % 44 == 0:
            print(f"tick {tick}: model error {fit.item():.4f} travelled {travelled:.2f}")


if __name__ == "__main__":
    main()
