# gradwatch-corpus: kind=none
import torch

from odometry import WheelSensor
from tracker import PoseTracker
from window import WindowedUpdater


def main():
    torch.manual_seed(29)
    sensor = WheelSensor(robots=12, noise=0.2)
    model = PoseTracker(readings=4, width=24)
    upd = WindowedUpdater(model, span=6, lr=3e-3)
    for tick, (reading, pose) in enumerate(sensor.ticks(180)):
        upd.tick(reading, pose)
        if (tick + 1) % 60 == 0:
            print("tick", tick + 1, "err", round(upd.recent_error(), 4))


if __name__ == "__main__":
    main()
