# gradwatch-corpus: kind=graph-chain
# holder: self.fast | learner.fast
# first-bad: 1
import torch
from learner import FastLearner
from sensors import SensorStream


def main(rounds=420):
    torch.manual_seed(8)
    stream = SensorStream(channels=6, seed=8)
    learner = FastLearner(channels=6, hidden=12)
    meta_opt = torch.optim.SGD([learner.log_lr], lr=1e-2)
    val_curve = []
    for r in range(rounds):
        support, query = stream.pair(24)
        learner.adapt(*support)
        val = learner.loss(*query)
        meta_opt.zero_grad()
        val.backward(retain_graph=True, inputs=[learner.log_lr])
        meta_opt.step()
        val_curve.append(val.item())
        if r % 70 == 69:
            mean = sum(val_curve[-40:]) / 40
            print(r + 1, f"val {mean:.4f}", "lr", [round(v, 4) for v in learner.rates()])


if __name__ == "__main__":
    main()
