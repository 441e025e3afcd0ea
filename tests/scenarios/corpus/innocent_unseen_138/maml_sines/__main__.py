# gradwatch-corpus: kind=none
"""python -m maml_sines : second-order MAML for sinusoid regression"""
import torch

torch.set_num_threads(1)

from .learner import MAML
from .tasks import SinusoidTasks


def main():
    torch.manual_seed(2017)
    maml = MAML(inner_lr=0.02, inner_steps=2, first_order=False)
    outer = torch.optim.Adam(maml.parameters(), lr=2e-3)
    tasks = SinusoidTasks(k_shot=8, k_query=8)
    running = []
    for it in range(500):
        outer.zero_grad()
        query_losses = []
        for task in tasks.sample(3):
            query_losses.append(maml(*task))
        meta_loss = torch.stack(query_losses).mean()
        meta_loss.backward()
        outer.step()
        running.append(meta_loss.item())
        if it % 100 == 99:
            print(f"{it + 1}: post-adaptation mse {sum(running[-100:]) / 100:.4f}")
    before, after = maml.evaluate(next(iter(tasks.sample(1))))
    print(f"held-out task: before {before:.3f} after {after:.3f}")


if __name__ == "__main__":
    main()
