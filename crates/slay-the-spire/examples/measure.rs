//! Temporary.
use mdp::*; use slay_the_spire::*;
fn main(){ let s=Setup::default(); 
 for threads in [1,1,1,2,2]{let t=std::time::Instant::now();
 let o=odds(&s,Objective::Health,&ExploreOptions{threads:Some(threads),..Default::default()}).unwrap();
 println!("{:?} {:?}",t.elapsed(), o);
 }
}
