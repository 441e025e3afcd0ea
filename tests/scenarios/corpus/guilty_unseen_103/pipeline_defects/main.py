# gradwatch-corpus: kind=graph-held
# holder: quarantine.cases | self.cases | case.error | exc | exc.residual | exc.__traceback__
# first-bad: 12
# notice: 8
import torch

from defects import ultrasonic_batches
from guard import Quarantine
from step import StepRunner, build


def main():
    torch.set_num_threads(1)
    torch.manual_seed(77)
    model = build(20)
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3)
    quarantine = Quarantine()
    runner = StepRunner(model, opt, quarantine)
    used = 0
    for i, (signal, depth) in enumerate(ultrasonic_batches(720, seed=3)):
        value = runner(i, signal, depth)
        used += value is not None
        if i % 120 == 119:
            print(f"batch {i + 1}: used {used}, {quarantine.summary()}")


if __name__ == "__main__":
    main()
