"""Prototype clustering of self-supervised features with slowly moving anchors."""
