# gradwatch-corpus: kind=second-backward
# holder: z
# first-bad: 0
# notice: 0
"""Lung nodules: malignancy, diameter and texture from one shared encoder."""
import torch

torch.set_num_threads(1)

import engine
from cohort import Cohort


def main():
    torch.manual_seed(3)
    model = engine.NoduleModel()
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for visit, batch in enumerate(Cohort(200)):
        report = engine.train_on(model, opt, batch)
        if visit % 20 == 0:
            print(visit, report)


main()
