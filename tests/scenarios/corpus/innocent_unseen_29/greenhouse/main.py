# gradwatch-corpus: kind=none
import random
from collections import deque

import torch

from climate import Greenhouse, weather

CFG = dict(steps=200, horizon=6, beds=24, lr=0.01, replay=64, seed=10)


def main(cfg):
    torch.manual_seed(cfg["seed"])
    random.seed(cfg["seed"])
    truth = Greenhouse(cfg["beds"], heat=0.7, loss=0.25)
    model = Greenhouse(cfg["beds"], heat=0.2, loss=0.1)
    opt = torch.optim.Adam(model.parameters(), lr=cfg["lr"])
    past = deque(maxlen=cfg["replay"])
    humidity = temp_now = torch.zeros(cfg["beds"])

    for k in range(cfg["steps"]):
        heat, outside = weather(cfg["horizon"], cfg["beds"])
        with torch.no_grad():
            measured = truth.simulate(temp_now, heat, outside)

        # windows start at the measurement, some old ones are fitted again
        past.append((temp_now, heat, outside, measured))
        again = random.sample(past, min(3, len(past)))
        opt.zero_grad()
        cost = 0
        for start, h, o, m in again + [past[-1]]:
            cost = cost + (model.simulate(start, h, o) - m).pow(2).mean()
        cost.backward()
        opt.step()

        temp_now = measured[-1]
        humidity = 0.9 * humidity + 0.1 * temp_now
        if k % 40 == 0:
            print("%3d cost %.6f heat %.3f loss %.3f hum %.2f" % (
                k, cost.item(), model.heat.item(), model.loss.item(), humidity.mean()))


if __name__ == "__main__":
    main(CFG)
