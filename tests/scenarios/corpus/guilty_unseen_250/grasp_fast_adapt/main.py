# gradwatch-corpus: kind=graph-chain
# holder: self.fast | self.fast["head.weight"] | adapter.fast | adapter.fast["head.weight"]
# first-bad: 1
import torch

from adapter import OnlineAdapter
from rig import GraspRig
from settings import AdaptationSettings


def main():
    cfg = AdaptationSettings()
    torch.manual_seed(cfg.seed)
    rig = GraspRig(cfg)
    adapter = OnlineAdapter(cfg)
    optimizer = torch.optim.SGD(adapter.slow_parameters(), lr=cfg.slow_lr)
    window = 0.0
    for trial in range(cfg.trials):
        support = rig.collect(cfg.support_size)
        query = rig.collect(cfg.query_size)
        adapter.adapt(support)
        query_loss = adapter.loss(query)
        optimizer.zero_grad()
        query_loss.backward()
        optimizer.step()
        window += query_loss.item()
        if (trial + 1) % 20 == 0:
            print(f"trial {trial + 1:3d}  query mse {window / 20:.4f}")
            window = 0.0
        rig.wear()


if __name__ == "__main__":
    main()
