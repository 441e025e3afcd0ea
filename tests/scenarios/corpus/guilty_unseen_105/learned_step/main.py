# gradwatch-corpus: kind=graph-chain
# holder: self.fast | learner.fast | self.fast.values | fast.values | learner.fast.values
# first-bad: 1
# notice: 5
"""Learn per-layer step sizes for an online regressor.

A stream of noisy sensor readings is fit by plain gradient steps; the step sizes
themselves are trained with Adam on the loss *after* each step.
"""
import torch

from learner import OnlineLearner
from stream import SensorStream

torch.set_num_threads(1)
torch.manual_seed(7)

STEPS = 200


def main():
    stream = SensorStream(dim=6, seed=3)
    learner = OnlineLearner(dim=6, hidden=10)
    opt = torch.optim.Adam(learner.parameters(), lr=0.01)

    report = 0.0
    for step in range(STEPS):
        x, y = stream.next_batch(24)
        learner.adapt(x, y)
        xq, yq = stream.next_batch(24, advance=False)
        loss = learner.query_loss(xq, yq)
        opt.zero_grad()
        loss.backward(retain_graph=True)
        torch.nn.utils.clip_grad_norm_(learner.parameters(), 1.0)
        opt.step()
        report = 0.95 * report + 0.05 * loss.item()
        if step % 40 == 0:
            rates = ", ".join(f"{k}={v:.4f}" for k, v in learner.rates().items())
            print(f"{step:4d} loss {loss.item():.4f} smooth {report:.4f}  {rates}")


if __name__ == "__main__":
    main()
