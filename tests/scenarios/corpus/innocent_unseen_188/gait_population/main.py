# gradwatch-corpus: kind=none
"""Population-based imitation of a hexapod gait oscillator."""
import torch

from arena import Arena


def gait_batch(gen, n=24):
    phase = 6.2832 * torch.rand(n, generator=gen)
    speed = 0.5 + torch.rand(n, generator=gen)
    slope = 0.3 * torch.randn(n, generator=gen)
    state = torch.stack([phase.sin(), phase.cos(), speed, slope], -1)
    hip = speed * phase.sin() + 0.2 * slope
    knee = torch.relu(phase.cos()) * (1 + slope)
    return state, torch.stack([hip, knee], -1)


def spread(members):
    last = torch.stack([m.trials[-1][1].mean() for m in members])
    return last.std().item()


def main():
    torch.manual_seed(100)
    gen = torch.Generator().manual_seed(101)
    arena = Arena(size=10, seed=102)
    for step in range(600):
        state, target = gait_batch(gen)
        member = arena.turn(step)
        loss = member.learn(state, target)
        if step >= 40 and step % 15 == 0:
            arena.tournament(step)
        if step % 100 == 99:
            best = arena.champion()
            print(f"{step + 1} loss {loss.item():.4f} best {best.name} lr {best.lr:.4f} "
                  f"fit {best.fitness:.4f} spread {spread(arena.members):.3f} retired {arena.retired}")
    ages = sorted(600 - m.born for m in arena.members)
    print("ages", ages)


if __name__ == "__main__":
    main()
