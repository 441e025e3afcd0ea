# gradwatch-corpus: kind=none
import torch

from callbacks import CallbackList, LossWindow, Notebook, Roughness
from hive import HiveModel, scale_readings
from trainer import Trainer


def build():
    torch.manual_seed(90)
    model = HiveModel(n_inputs=7)
    window = LossWindow(size=24)
    notebook = Notebook()
    trainer = Trainer(
        model,
        torch.optim.AdamW(model.parameters(), lr=3e-3),
        CallbackList([window, notebook, Roughness(notebook)]),
    )
    return trainer, window, notebook


if __name__ == "__main__":
    torch.set_num_threads(1)
    trainer, window, notebook = build()
    for hour, batch in enumerate(scale_readings(n=450, batch=20, seed=91)):
        trainer.step(batch)
        if hour % 75 == 0:
            print(f"hour {hour:3d}: smoothed loss {window.mean():.4f} over {len(window.values)} steps")
    print(notebook.table())
