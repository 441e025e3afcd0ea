# gradwatch-corpus: kind=none
import torch

from balance import GradientBalance
from wave import WaveProblem


def main(steps=430):
    torch.manual_seed(79)
    problem = WaveProblem(width=20)
    balance = GradientBalance(problem.shared_weights(), terms=("pde", "start", "edge"))
    optim = torch.optim.Adam(problem.net.parameters(), lr=2e-3)
    archive = {name: [] for name in balance.weights}
    for step in range(steps):
        terms = problem.terms(n=32)
        if step % 5 == 0:
            balance.update(terms)
        total = balance(terms)
        optim.zero_grad()
        total.backward()
        optim.step()
        for name, value in terms.items():
            archive[name].append(value.detach())
        problem.refine(keep=16)
        if step % 80 == 0:
            means = {k: round(torch.stack(v[-20:]).mean().item(), 4) for k, v in archive.items()}
            print(step, means, {k: round(float(w), 2) for k, w in balance.weights.items()})


if __name__ == "__main__":
    main()
