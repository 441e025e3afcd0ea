# gradwatch-corpus: kind=graph-held
# holder: scores | scores[level] | report.scores | report.__closure__ | entries
# first-bad: 1
"""Message passing learns single-source distances on random graphs; the curriculum adds
larger graphs once the smaller ones are mastered."""
import torch

from curriculum import build_curriculum
from graphs import LEVELS, make_batch
from network import DistanceGNN


def run_iteration(model, optimizer, curriculum, generator, batch_size=8):
    choose, report, _ = curriculum
    level = choose(generator)
    adjacency, source, target = make_batch(LEVELS[level], batch_size, generator)
    prediction = model(adjacency, source)
    per_graph = (prediction - target).abs().mean(dim=1)
    loss = per_graph.mean()
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    report(level, per_graph.max())  # <- culprit
    return level, loss.item()


@torch.no_grad()
def validate(model, generator):
    model.eval()
    errors = []
    for nodes in LEVELS:
        a, s, t = make_batch(nodes, 16, generator)
        errors.append((model(a, s) - t).abs().mean().item())
    model.train()
    return errors


def main(iterations=360):
    torch.manual_seed(5)
    generator = torch.Generator().manual_seed(5)
    model = DistanceGNN(hidden=24, rounds=4)
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    curriculum = build_curriculum(n_levels=len(LEVELS), mastered=0.8, window=15)
    visits = [0] * len(LEVELS)
    for it in range(iterations):
        level, loss = run_iteration(model, optimizer, curriculum, generator)
        visits[level] += 1
        if it % 90 == 89:
            unlocked = curriculum[2]()
            errors = " ".join(f"{e:.2f}" for e in validate(model, generator))
            print(f"it {it + 1}: loss {loss:.3f} unlocked {unlocked} visits {visits} val {errors}")


if __name__ == "__main__":
    main()
