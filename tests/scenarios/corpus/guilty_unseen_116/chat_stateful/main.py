# gradwatch-corpus: kind=second-backward
# holder: self._state | self.model._state | model._state | model.state | self.model.state | _state
# first-bad: 41
# notice: 0
"""Next-token model over support chats; chats start short and get longer."""
import torch

from callbacks import ConversationReset, Meter
from chats import Curriculum
from model import ChatModel
from trainer import Trainer, TrainerConfig


def main():
    torch.set_num_threads(1)
    cfg = TrainerConfig()
    torch.manual_seed(cfg.seed)
    model = ChatModel(vocab=cfg.vocab, width=cfg.width)
    trainer = Trainer(cfg, model, callbacks=[ConversationReset(), Meter(every=10)])
    trainer.fit(Curriculum(cfg.vocab, cfg.batch, cfg.length, seed=cfg.seed))


if __name__ == "__main__":
    main()
