# gradwatch-corpus: kind=graph-held
# holder: self.rejected | log.rejected | self.quality.rejected | quality.rejected | session.quality.rejected | self.rejected[-1] | err | err.__traceback__
# first-bad: 5
# notice: 40
"""Low-dose CT denoising on synthetic phantoms. Slices which break the quality rules
(metal, empty field of view) are passed over and listed in the protocol of the run."""
import torch

from losses import CompositeLoss
from phantom import PhantomStream
from quality import QualityLog, SliceRejected
from unet import TinyResNet


class Session:
    def __init__(self, steps=250):
        self.steps = steps
        self.model = TinyResNet(channels=10)
        self.criterion = CompositeLoss(hu_limit=4.0)
        self.optim = torch.optim.Adam(self.model.parameters(), lr=2e-3)
        self.quality = QualityLog()

    def _forward(self, low, full, case):
        denoised = self.model(low)
        return self.criterion(denoised, full, case)

    def step(self, low, full, case):
        try:
            loss = self._forward(low, full, case)
        except SliceRejected as err:
            self.quality.note(err)
            # the optimiser still takes a (pure momentum) step so that schedules stay aligned
            self.optim.zero_grad(set_to_none=False)
            self.optim.step()
            return None
        self.optim.zero_grad()
        loss.backward()
        self.optim.step()
        return loss.item()

    def run(self):
        stream = PhantomStream(size=32, batch=4, seed=2)
        recent = 0.0
        for i, (low, full, case) in zip(range(self.steps), stream):
            value = self.step(low, full, case)
            if value is not None:
                recent = 0.9 * recent + 0.1 * value
            if (i + 1) % 50 == 0:
                print(f"{i + 1:4d}  loss {recent:.4f}  {self.quality.headline()}")
        for line in self.quality.protocol(limit=3):
            print("   ", line)


if __name__ == "__main__":
    torch.manual_seed(1)
    torch.set_num_threads(1)
    Session().run()
