# gradwatch-corpus: kind=none
import torch

torch.set_num_threads(1)
from engine import AccumulatingEngine, EngineConfig
from model import ProteinTagger, fake_batch

torch.manual_seed(9)
cfg = EngineConfig(accumulate=4, clip=1.0, updates=420)
model = ProteinTagger()
eng = AccumulatingEngine(cfg, model, torch.optim.AdamW(model.parameters(), lr=2e-3))


@eng.on("update")
def report(engine):
    if engine.n_updates % 105 == 0:
        print(engine.n_updates, f"{engine.window_mean:.3f}")


eng.run(lambda: fake_batch(6))
