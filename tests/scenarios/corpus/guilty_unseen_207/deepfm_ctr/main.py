# gradwatch-corpus: kind=grads-accumulate
# first-bad: 1
import torch

from engine import Engine, PrintEvery
from features import CtrLog
from model import DeepFM


def main():
    torch.manual_seed(59)
    log = CtrLog(fields=[20, 30, 12, 8], batch=64)
    engine = Engine(DeepFM(log.fields), hooks=[PrintEvery(90)])
    engine.run(log, steps=450)


if __name__ == "__main__":
    main()
