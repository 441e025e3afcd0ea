# gradwatch-corpus: kind=none
import torch

from learner import FastWeights, MetaSensor
from tasks import SensorFleet


def main(rounds: int = 420, per_round: int = 2) -> None:
    torch.manual_seed(27)
    fleet, meta = SensorFleet(count=50, seed=27), MetaSensor(width=24)
    opt = torch.optim.Adam(meta.parameters(), lr=3e-3)
    last_adapted, gains = {}, []
    for r in range(rounds):
        opt.zero_grad()
        for sid in fleet.pick(per_round):
            support, query = fleet.episode(sid)
            fast = FastWeights.from_meta(meta)
            with torch.no_grad():
                before = meta.loss(fast, *query).item()
            for _ in range(2):
                fast = fast.descend(meta.loss(fast, *support), meta.rates)
            after = meta.loss(fast, *query)
            (after / per_round).backward()
            last_adapted[sid] = fast.frozen()
            gains.append(before - after.item())
        opt.step()
        if r % 70 == 0:
            recent = gains[-40:]
            print(r, f"gain {sum(recent) / len(recent):+.4f}", f"stored {len(last_adapted)}")


if __name__ == "__main__":
    main()
