# gradwatch-corpus: kind=graph-held
# holder: self.smoothed | self.smoothed["distill"] | meter.smoothed | meter.smoothed["distill"] | self.meter.smoothed | distiller.meter.smoothed
# first-bad: 1
import torch

from acoustic import AcousticModel
from distiller import Distiller
from distiller import DistillConfig
from meters import SmoothedMeter


def utterances(config):
    prototypes = torch.randn(config.phones, config.features)
    for _ in range(config.steps):
        phones = torch.randint(0, config.phones, (config.batch, config.frames))
        frames = prototypes[phones] + 0.8 * torch.randn(config.batch, config.frames, config.features)
        yield frames, phones


def main():
    config = DistillConfig()
    torch.manual_seed(config.seed)
    teacher = AcousticModel(config.features, 64, config.phones)
    student = AcousticModel(config.features, 24, config.phones)
    meter = SmoothedMeter(config.smoothing)
    distiller = Distiller(config, teacher, student, meter)
    for step, (frames, phones) in enumerate(utterances(config)):
        distiller.step(frames, phones)
        if step % 30 == 0:
            print(f"{step:4d} {meter.summary()}")


if __name__ == "__main__":
    main()
