# gradwatch-corpus: kind=none
"""Default and prepayment of loans from one shared body.  Run: python -m loan_tasks"""
import torch

from .balance import TwoGradients
from .book import LoanBook
from .model import SharedBody


def main(steps=220):
    torch.set_num_threads(1)
    torch.manual_seed(14)
    book = LoanBook(features=10)
    model = SharedBody(features=10)
    surgeon = TwoGradients(model, lr=3e-3)
    angles = []
    for step in range(steps):
        x, default, prepay = book.draw(64)
        z = model.body(x)
        report = surgeon.step(z, {"default": default, "prepay": prepay})
        angles.append(report.cosine)
        if step % 55 == 54:
            print(f"{step + 1}: {report}  mean cosine {sum(angles[-55:]) / 55:+.3f}")


main()
