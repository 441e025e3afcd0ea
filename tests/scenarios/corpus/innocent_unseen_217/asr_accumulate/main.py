# gradwatch-corpus: kind=none
import torch

from acoustic import build_encoder
from speech import BucketedSpeech
from stepper import AccumulatingStepper, Stats

CONF = {
    "seed": 12,
    "updates": 35,
    "accumulate": 4,
    "data": {"phones": 10, "mels": 16, "batch": 4},
    "encoder": {"type": "conv_gru", "mels": 16, "width": 32, "out": 11},
}


def main():
    torch.manual_seed(CONF["seed"])
    data = iter(BucketedSpeech(**CONF["data"]))
    enc = build_encoder(CONF["encoder"])
    stepper = AccumulatingStepper(enc, CONF["accumulate"], lr=4e-3)
    stats = Stats()
    while stepper.updates < CONF["updates"]:
        done = stepper.feed(next(data))
        if done is not None:
            stats.add(**done)
    print(stats.render())


if __name__ == "__main__":
    main()
