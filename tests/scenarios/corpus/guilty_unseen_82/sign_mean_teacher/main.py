# gradwatch-corpus: kind=graph-held
# holder: self.shadow | teacher.shadow | self.teacher.shadow | self.shadow[name] | callback.teacher.shadow | callbacks[0].teacher.shadow
# first-bad: 1
# notice: 8
"""Semi-supervised isolated sign recognition from body/hand keypoints (mean teacher)."""
import torch

from callbacks import Callback, Printer, TeacherCallback
from model import SignEncoder
from synth import KeypointClips
from trainer import Trainer


def main():
    torch.set_num_threads(1)
    torch.manual_seed(1203)
    data = KeypointClips(num_signs=8, joints=12, frames=16)
    net = SignEncoder(in_dim=24, hidden=32, num_signs=8)
    callbacks = [TeacherCallback(decay=0.97, rampup=60), Printer(every=50)]
    assert all(isinstance(c, Callback) for c in callbacks)
    trainer = Trainer(net, data, lr=2e-3, callbacks=callbacks)
    trainer.fit(steps=220, batch=12)


if __name__ == "__main__":
    main()
