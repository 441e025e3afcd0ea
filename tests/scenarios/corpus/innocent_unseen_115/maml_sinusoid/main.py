# gradwatch-corpus: kind=none
"""Second-order MAML with learnable per-parameter inner rates (Meta-SGD) on sinusoids."""
import torch

from maml import MetaLearner
from meters import EpochMeter
from tasks import SinusoidTasks


def main(epochs=8, iters_per_epoch=40, meta_batch=3, inner_steps=2, seed=0):
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    tasks = SinusoidTasks(k_shot=5, k_query=10)
    learner = MetaLearner(hidden=24, inner_lr=0.02)
    meta_opt = torch.optim.Adam(learner.parameters(), lr=3e-3)

    history = []
    for epoch in range(epochs):
        meter = EpochMeter()
        for _ in range(iters_per_epoch):
            meta_opt.zero_grad()
            meta_loss = 0.0
            for _ in range(meta_batch):
                support, query = tasks.sample()
                fast, trajectory = learner.adapt(support, inner_steps)
                q_loss = learner.loss(query, fast)
                meta_loss = meta_loss + q_loss / meta_batch
                meter.add(inner_first=trajectory[0], inner_last=trajectory[-1], query=q_loss)
            meta_loss.backward()
            torch.nn.utils.clip_grad_norm_(learner.parameters(), 5.0)
            meta_opt.step()
        history.append(meter.averages())
        print(f"epoch {epoch}: " + "  ".join(f"{k} {v:.3f}" for k, v in history[-1].items()))

    first, last = history[0]["query"], history[-1]["query"]
    print(f"query loss {first:.3f} -> {last:.3f}")


if __name__ == "__main__":
    main()
