//! The planner: it evaluates whole positions, searches for posts and attacks that improve them, and considers the enemy's possible answers.

mod board;
mod cordon;
mod lifeline;
mod posts;
mod search;
mod series;
mod stakes;
mod standing;
mod strike;
mod threat;
mod worth;

use std::collections::BTreeMap;

use super::Player;
use crate::model::Arm;
use crate::order::{Act, Guard, HexIs, Path};
use crate::plan::Piece;
use crate::spots::Spot;
use board::{Board, Course};
use posts::Search;
use worth::{Judge, Man, Post};

impl Player<'_> {
    /// Movement and combat of the own turn.
    pub(super) fn campaign(&mut self) {
        let mut board = Board::new(self.rules, self.view, self.known);
        board.pull = pull(&board);
        let pieces: Vec<Piece> = self.plan.pieces().cloned().collect();
        let men: Vec<Man> = pieces.iter().map(|piece| Man::of(&board, piece)).collect();
        let marches: Vec<BTreeMap<Spot, Course>> =
            pieces.iter().map(|piece| board.marches(piece).into_iter().collect()).collect();
        let posts = pieces.iter().map(|piece| Post {
            at: board.spot(piece.hex),
            garrison: piece.garrison,
            way: Vec::new(),
            left: piece.left,
            worn: 0,
        });
        let posts: Vec<Post> = posts.collect();
        let fixed = pieces.iter().map(|p| p.left == 0 || !self.view.commands(p.nation)).collect();
        let judge = Judge::new(&board, men);
        let mut search = Search::new(&judge, marches, posts, fixed);
        search.encircle();
        let strikes = search.strikes(&pieces);
        let posts = search.improved();
        let struck = |man: usize| strikes.iter().any(|s| s.men.contains(&man) || s.hq == Some(man));
        for (man, post) in posts.iter().enumerate() {
            let unit = judge.men[man].id;
            if !post.way.is_empty() {
                let way = post.way.iter().map(|&spot| board.hex(spot)).collect();
                self.order(Act::Move { unit, path: Path::Hexes(way) });
            }
            if !struck(man) && post.garrison && self.plan.piece(unit).is_some_and(|piece| !piece.garrison) {
                self.order(Act::Garrison { unit, at: None });
            }
        }
        for strike in &strikes {
            let at = board.hex(strike.at);
            for &man in &strike.men {
                let (unit, limit) = (judge.men[man].id, strike.manner);
                self.order(Act::Attack { unit, at, limit, enter: strike.enter });
            }
            if let Some(hq) = strike.hq.filter(|_| strike.enter) {
                let guard = Guard { hex: at, is: HexIs::Controlled };
                self.order_if(Some(guard), Act::Move { unit: judge.men[hq].id, path: Path::To(at) });
            }
        }
    }
}

/// How attractive each hex is for a piece: cities to take, cities to hold, and enemies to fight.
fn pull(board: &Board<'_>) -> Vec<i32> {
    let mut pull = vec![0; board.hexes];
    let mut draw = |at: Spot, weight: i32| {
        for (spot, pull) in pull.iter_mut().enumerate() {
            let near = i32::try_from(board.distance(spot, at)).unwrap_or(i32::MAX);
            *pull = (*pull).max(weight * 4 / (near + 4));
        }
    };
    for prize in &board.prizes {
        let swing = prize.ours + prize.theirs;
        if board.theirs.has(prize.at) {
            draw(prize.at, swing * 24);
        } else if board.open_threat.attackers[prize.at] > 0 {
            draw(prize.at, swing * 12);
        }
    }
    for enemy in &board.enemies {
        if enemy.kind.arm != Arm::Hq {
            draw(enemy.at, 40);
        }
    }
    pull
}
