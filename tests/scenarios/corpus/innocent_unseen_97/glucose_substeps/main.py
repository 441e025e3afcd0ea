# gradwatch-corpus: kind=none
"""Blood-glucose simulator with a learned meal response, integrated in small sub-steps."""
import torch

from patient import Ward
from physiology import Physiology
from schedule import Accumulate


def main():
    torch.set_num_threads(1)
    torch.manual_seed(161)
    body = Physiology(inputs=4)
    opt = torch.optim.Adam(body.parameters(), lr=2e-3)
    ward = Ward(seed=162, patients=5)
    updates = Accumulate(opt, every=2)
    while updates.done < 310:
        for patient in ward.rounds():
            with updates as note:
                note.loss = body.quarter_hour(patient, substeps=4)
            patient.remember(note.loss)
        if updates.fired and updates.done % 62 == 0:
            print(f"{updates.done:4d}", {p.name: round(p.typical(), 4) for p in ward})


if __name__ == "__main__":
    main()
