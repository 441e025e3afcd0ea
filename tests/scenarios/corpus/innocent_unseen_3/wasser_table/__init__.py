from .train import Session
